import type { ErrorCode } from "@madang/contract";
import {
  type History,
  type NewChannel,
  type NewMessage,
  type NewUser,
  type NewWebhook,
  type World,
  worldTime,
} from "./world";

export const kim: NewUser = { user_id: "kim_01", name: "Kim" };
export const lee: NewUser = {
  user_id: "lee_02",
  name: "Lee",
  profile_url: "https://example.com/lee.png",
  meta: { team: "blue" },
};
export const park: NewUser = { user_id: "park_03", name: "Park" };
export const lunch: NewChannel = { channel_id: "room_1", name: "Lunch" };
export const menu = {
  type: "image/png",
  name: "menu.png",
  url: "https://example.com/menu.png",
  size: 48_213,
};

/** `count` users from `user_001`, each created one second after the previous one. */
export function numberedUsers(count: number): NewUser[] {
  return Array.from({ length: count }, (_, index) => ({
    user_id: `user_${String(index + 1).padStart(3, "0")}`,
    name: `User ${index + 1}`,
    at: worldTime + index * 1_000,
  }));
}

/** `count` channels from `room_001`, each created one second after the previous one. */
export function numberedChannels(count: number): NewChannel[] {
  return Array.from({ length: count }, (_, index) => ({
    channel_id: `room_${String(index + 1).padStart(3, "0")}`,
    name: `Room ${index + 1}`,
    at: worldTime + index * 1_000,
  }));
}

/** The messages of a history, newest first. */
export function listHistory({ channel_id, user_id, count }: History): NewMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    channel_id,
    user_id,
    content: `Message ${count - index}`,
    at: worldTime - index * 1_000,
  }));
}

/** A user as responses show it. */
export function presentUser({ at = worldTime, ...user }: NewUser) {
  return { meta: {}, created_at: at, updated_at: at, ...user };
}

/** Participants or managers as a channel lists them, added one millisecond apart. */
export function presentMembers(users: readonly NewUser[]) {
  return users.map((user, index) => ({ ...presentUser(user), joined_at: worldTime + index }));
}

/** Numbered users as a list shows them: newest first, from the number `first` down to the number `last`. */
export function presentUsers({ first, last }: { first: number; last: number }) {
  return numberedUsers(first)
    .slice(last - 1)
    .reverse()
    .map(presentUser);
}

/** A webhook for every type of event. */
export const plainWebhook: NewWebhook = { url: "https://hooks.example.com/all" };

/** A webhook as responses show it. */
export function presentWebhook({ url, types, description, enabled = true }: NewWebhook) {
  return {
    webhook_id: "wh_1",
    url,
    ...(types && { types }),
    ...(description && { description }),
    enabled,
    created_at: worldTime,
    updated_at: worldTime,
  };
}

/** A channel as responses show it. */
export function presentChannel(channel: NewChannel) {
  const { at = worldTime, frozen = false, channel_id, name, profile_url, meta = {}, retention } = channel;
  return {
    channel_id,
    name,
    ...(profile_url !== undefined && { profile_url }),
    type: "group",
    freeze: frozen,
    ...(retention && {
      retention: { ...(retention.days !== null && { days: retention.days }), hold: retention.hold },
    }),
    total_message_count: 0,
    total_file_count: 0,
    meta,
    created_at: at,
    updated_at: at,
  };
}

/** Numbered channels as a list shows them: newest first, from the number `first` down to the number `last`. */
export function presentChannels({ first, last }: { first: number; last: number }) {
  return numberedChannels(first)
    .slice(last - 1)
    .reverse()
    .map(presentChannel);
}

/** What keeps a participant of `lunch` from sending, with the code that a user gets. */
export const obstacles = {
  "who is muted": [{ mutes: [{ channel_id: "room_1", user_id: "kim_01" }] }, "member_muted"],
  "who is suspended": [{ suspendedUsers: ["kim_01"] }, "user_suspended"],
  "of a frozen channel": [{ channels: [{ ...lunch, members: ["kim_01"], frozen: true }] }, "channel_frozen"],
  "in a one-to-one channel with a block": [
    {
      users: [kim, lee],
      channels: [{ ...lunch, members: ["kim_01", "lee_02"] }],
      blocks: [{ user_id: "lee_02", blocked_user_id: "kim_01" }],
    },
    "user_blocked",
  ],
} as const satisfies Record<string, readonly [World, ErrorCode]>;

/** A message as responses show it. A message without a sender is a system message. */
export function presentMessage(message: NewMessage, sender?: NewUser) {
  const {
    at = worldTime,
    channel_id,
    content,
    file,
    meta = {},
    external_id,
    reply_to,
    mentions,
    parts,
    appends,
  } = message;
  const type = file === undefined ? "text" : "file";
  return {
    message_id: "1",
    channel_id,
    ...(external_id !== undefined && { external_id }),
    ...(sender && { user: presentUser(sender) }),
    type: sender === undefined ? "system" : type,
    ...(file === undefined ? { content } : { file }),
    ...(appends && {
      content: [content ?? "", ...appends].join(""),
      state: "streaming",
      append_count: appends.length,
    }),
    ...(parts && { parts }),
    meta,
    created_at: at,
    updated_at: at,
    ...(reply_to !== undefined && { reply_to }),
    ...(mentions && { mentions }),
  };
}
