import type { Message, Participant, PresenceView, ShownMessage, User, UserChannel } from "@madang/react";
import type { Texts } from "./texts";

type Presence = PresenceView["users"] extends ReadonlyMap<string, infer Value> ? Value : never;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes long, and each message needs one. */
function format({ language, timeZone }: Texts, options: Intl.DateTimeFormatOptions, time: number): string {
  const name = `${language} ${timeZone} ${JSON.stringify(options)}`;
  const known =
    formats.get(name) ?? new Intl.DateTimeFormat(language, { ...options, ...(timeZone && { timeZone }) });
  formats.set(name, known);
  return known.format(time);
}

/** 3:24 PM */
export const formatTime = (texts: Texts, time: number): string =>
  format(texts, { hour: "numeric", minute: "2-digit" }, time);

/** Sunday, November 29, 2026, 3:24 PM */
export const formatMoment = (texts: Texts, time: number): string =>
  format(texts, { dateStyle: "full", timeStyle: "short" }, time);

/** 2026-11-29 */
export const dayOf = (texts: Texts, time: number): string =>
  format({ ...texts, language: "sv" }, { dateStyle: "short" }, time);

const daysSince = (texts: Texts, time: number): number =>
  Math.round((Date.parse(dayOf(texts, Date.now())) - Date.parse(dayOf(texts, time))) / 86_400_000);

/** Today, Yesterday, Friday, November 20, or November 20, 2025 */
export function formatDay(texts: Texts, time: number): string {
  const days = daysSince(texts, time);
  if (days <= 0) return texts.today;
  if (days === 1) return texts.yesterday;
  if (days < 7) return format(texts, { weekday: "long" }, time);
  const isThisYear = dayOf(texts, time).slice(0, 4) === dayOf(texts, Date.now()).slice(0, 4);
  return format(texts, { month: "long", day: "numeric", ...(!isThisYear && { year: "numeric" }) }, time);
}

/** 3:24 PM, Yesterday, Fri, or Nov 20 */
export function formatShort(texts: Texts, time: number): string {
  const days = daysSince(texts, time);
  if (days <= 0) return formatTime(texts, time);
  if (days === 1) return texts.yesterday;
  return format(texts, days < 7 ? { weekday: "short" } : { month: "short", day: "numeric" }, time);
}

/** Whether somebody is online, and when that was last, if the service says so. */
export function formatPresence(texts: Texts, { status, last_seen_at: seenAt }: Presence): string {
  if (status === "online") return texts.online;
  return seenAt === undefined ? "" : texts.lastSeen(formatShort(texts, seenAt));
}

/** 00:45, or 01:00:00 */
export const formatWait = (seconds: number): string =>
  new Date(seconds * 1_000).toISOString().slice(seconds < 3_600 ? 14 : 11, 19);

export function formatBytes({ language }: Texts, bytes: number): string {
  const isSmall = bytes < 1_000_000;
  const amount = isSmall ? Math.max(1, bytes / 1_000) : bytes / 1_000_000;
  const unit = isSmall ? "kilobyte" : "megabyte";
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit,
    maximumFractionDigits: isSmall ? 0 : 1,
  }).format(amount);
}

/** 99+: the service counts to 100. */
export const formatCount = (count: number): string => (count < 100 ? String(count) : "99+");

/** 민준 for 김민준, AL for Ada Lovelace. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/);
  const [first = "", last = ""] = [words[0], words.length > 1 ? words.at(-1) : ""];
  if (/^[가-힣]{2,4}$/.test(first)) return first.slice(-2);
  return ([...first].slice(0, 1).join("") + [...last].slice(0, 1).join("")).toUpperCase();
}

/** The angle of a colour that belongs to an id. */
export function hueOf(id: string): number {
  let hash = 0x811c9dc5;
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  // Steps that are far enough apart to be told from each other.
  return ((hash >>> 16) % 18) * 20;
}

/**
 * The person with whom a channel is shared. Your server creates such a channel with `reuse`, and with `meta: { direct: "true" }`.
 * Undefined for a group.
 */
export function partnerOf(channel: UserChannel, myId: string | undefined) {
  if (channel.meta.direct !== "true") return undefined;
  return channel.members?.find(({ user_id }) => user_id !== myId);
}

export const titleOf = (channel: UserChannel, myId: string | undefined): string =>
  partnerOf(channel, myId)?.name ?? channel.name;

/** Who has written a message. Undefined: the service. */
export const senderOf = (message: Message): User | undefined =>
  message.type === "system" ? undefined : message.user;

/** The people of a group, oneself at the end. */
export function namesOf(members: readonly Participant[], myId: string | undefined, texts: Texts): string {
  const others = members.filter(({ user_id }) => user_id !== myId).map(({ name }) => name);
  return [...others, ...(others.length < members.length ? [texts.me] : [])].join(", ");
}

/** A message in one line. */
export function previewOf(message: Message, texts: Texts): string {
  if (message.type === "file") return message.file.name;
  if (message.content !== "") return message.content.replace(/\s+/g, " ");
  const [file] = message.attachments ?? [];
  if (file === undefined) return message.state === "streaming" ? "…" : "";
  return isImage(file) ? texts.photo : file.name;
}

export const isImage = ({ type }: { readonly type: string }): boolean =>
  /^image\/(png|jpe?g|gif|webp|avif)$/.test(type);

/** The ids of the people whose names a text has after an @. */
export const findMentions = (text: string, members: readonly Participant[]): string[] =>
  members.filter(({ name }) => text.includes(`@${name}`)).map(({ user_id }) => user_id);

/** Emojis alone are shown large, without a bubble. */
export const isEmojiOnly = (text: string): boolean =>
  text.length <= 24 &&
  /^(?:\p{Extended_Pictographic}(?:[\u200d\ufe0f\p{Emoji_Modifier}]|\p{Extended_Pictographic})*\s?){1,3}$/u.test(
    text,
  );

/** Why a message was not sent. A hook of your server may say it itself. */
export const reasonOf = (error: ShownMessage["error"], texts: Texts): string =>
  (error?.check === "hook" ? error.text : texts.reasons[error?.code ?? ""]) ?? error?.text ?? texts.notSent;
