import { idPattern, limits } from "@madang/contract/limits";
import type { Kind, Row } from "../data/tables";
import { type MessageToImport, readMessage } from "./read-message";

/** Why the service would reject a row, or undefined. The service has further rules, such as those of metadata. */
export function findProblem(kind: Kind, row: Row, channelOfFile?: string): string | undefined {
  if (kind === "users") return checkId(row, "user_id") ?? checkText("name", row.name, limits.userName);
  if (kind === "channels")
    return checkId(row, "channel_id") ?? checkText("name", row.name, limits.channelName);
  if (kind !== "messages") return checkId(row, "channel_id") ?? checkId(row, "user_id");
  return findProblemOfMessage(readMessage(row, channelOfFile));
}

export function findProblemOfMessage({ channelId, message }: MessageToImport): string | undefined {
  return (
    checkId({ channel_id: channelId }, "channel_id") ??
    checkId({ user_id: message.user_id }, "user_id") ??
    checkText("external_id", message.external_id, limits.externalId) ??
    checkTime(message.created_at) ??
    (message.type === "text"
      ? checkText("content", message.content, limits.content)
      : checkFile(message.file))
  );
}

function checkId(row: Row, name: "user_id" | "channel_id"): string | undefined {
  const { minLength, maxLength } = name === "user_id" ? limits.userId : limits.channelId;
  const value = row[name];
  if (typeof value === "string" && idPattern.test(value))
    if (value.length >= minLength && value.length <= maxLength) return undefined;
  return `${name} must have ${minLength} to ${maxLength} characters: lower-case letters a-z, digits and _.`;
}

/** All texts here have at least one character. */
function checkText(name: string, value: unknown, { maxLength }: { maxLength: number }): string | undefined {
  const rule = `${name} must be a text of 1 to ${maxLength.toLocaleString("en-US")} characters.`;
  if (typeof value !== "string" || value === "" || value.includes("\0") || !value.isWellFormed()) return rule;
  // A code point is one or two units.
  return value.length > maxLength && [...value].length > maxLength ? rule : undefined;
}

function checkFile(file: unknown): string | undefined {
  const { type, name, url, size }: Row = Object(file);
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
    return "file.size must be a whole number of bytes.";
  return (
    checkText("file.type", type, limits.fileType) ??
    checkText("file.name", name, limits.fileName) ??
    checkText("file.url", url, limits.fileUrl)
  );
}

/** Clocks differ: the service decides about times that are nearly now. */
const maxSkewMs = 3_600_000;

function checkTime(value: unknown): string | undefined {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    return "created_at must be a time in milliseconds since 1970, as a whole number.";
  return value > Date.now() + maxSkewMs ? "created_at must not be in the future." : undefined;
}

/** A row as people find it. */
export function nameRow(row: Row): string {
  return JSON.stringify(row.message_id ?? row.external_id ?? row.user_id ?? row.channel_id ?? row).slice(
    0,
    80,
  );
}
