import type { OperationId } from "../operations";
import type { Example } from "./shape";

/** What is sent and what is answered, for one operation. Held against the contract by a test. */
export interface OperationExamples {
  readonly query?: Readonly<Record<string, string>>;
  readonly requests?: Readonly<Record<string, Example>>;
  /** Left out where the answer has no body. */
  readonly answers?: Readonly<Record<string, Example>>;
}

const at = 1_700_000_000_000;
const times = { created_at: at, updated_at: at };
const kim = { user_id: "kim_01", name: "Kim", meta: { team: "blue" }, ...times };
const park = {
  user_id: "park_03",
  name: "Park",
  profile_url: "https://example.com/park.png",
  meta: {},
  ...times,
};
const room = {
  channel_id: "room_1",
  name: "Lunch",
  type: "group",
  freeze: false,
  total_message_count: 2,
  total_file_count: 1,
  meta: {},
  ...times,
};
const sent = { channel_id: "room_1", user: kim, meta: {}, ...times };
const textMessage = { message_id: "1041", ...sent, type: "text", content: "See you at noon." };
const file = { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 48_213 };
const fileMessage = { message_id: "1042", ...sent, type: "file", file };
const subKey = { key: "sk_EXAMPLE-00000000000000000000000000000000000", created_at: at };

export const examples: Readonly<Record<OperationId, OperationExamples>> = {
  "users.list": {
    query: { limit: "15" },
    answers: {
      page: {
        summary: "A page, with the cursor of the next one",
        value: { users: [park, kim], next: "eyJ2Ijox" },
      },
      array: { summary: "A bare array, as `base_user_id` asks for it", value: [kim] },
    },
  },
  "users.get": { answers: one("The user", kim) },
  "users.create": {
    requests: one("A user with metadata", { user_id: "kim_01", name: "Kim", meta: { team: "blue" } }),
    answers: one("The user created", kim),
  },
  "users.update": {
    requests: one("A new name; the picture is kept", { name: "Kim" }),
    answers: one("The user as it is now", kim),
  },
  "users.delete": {},
  "users.mergeMeta": {
    requests: one("One pair", { meta: { team: "blue" } }),
    answers: one("The user as it is now", kim),
  },
  "users.deleteMeta": {
    requests: one("Two keys; one that is not there is passed over", { keys: ["team", "floor"] }),
    answers: one("The user as it is now", { ...kim, meta: {} }),
  },
  "channels.create": {
    requests: {
      group: {
        summary: "A channel",
        value: { channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_03"], reuse: false },
      },
      one_to_one: {
        summary: "A one-to-one channel, reused if these two have one",
        value: { channel_id: "kim_park", name: "Kim and Park", members: ["kim_01", "park_03"], reuse: true },
      },
    },
    answers: one("The channel with its participants", {
      ...room,
      total_message_count: 0,
      total_file_count: 0,
      members: [kim, park],
    }),
  },
  "channels.update": {
    requests: one("A new name; the picture is kept", { name: "Lunch" }),
    answers: one("The channel as it is now", room),
  },
  "channels.delete": {},
  "members.list": { answers: one("Two participants", [entry(kim), entry(park)]) },
  "members.join": { requests: one("The user who joins", { member: "park_03" }) },
  "members.leave": { requests: one("The user who leaves", { member: "park_03" }) },
  "managers.list": { answers: one("One manager", [entry(kim)]) },
  "managers.add": { requests: one("The user who becomes a manager", { manager: "kim_01" }) },
  "managers.remove": { requests: one("The user whose role ends", { manager: "kim_01" }) },
  "exports.messages": {
    query: { limit: "1000", start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul" },
    answers: one("The last page", { messages: [fileMessage, textMessage], timezone: "Asia/Seoul" }),
  },
  "keys.list": { answers: one("One sub key", [subKey]) },
  "keys.create": { answers: one("The key created", subKey) },
  "keys.delete": { requests: one("The key to delete", { key: subKey.key }) },
  "extensions.getChannel": { answers: one("The channel", room) },
  "extensions.listChannels": {
    query: { limit: "15" },
    answers: one("The last page", { channels: [room] }),
  },
  "extensions.freezeChannel": {
    requests: one("Freeze it", { freeze: true }),
    answers: one("The channel as it is now", { ...room, freeze: true }),
  },
  "extensions.revokeManager": {},
  "extensions.deleteMetaKey": { answers: one("The user as it is now", { ...kim, meta: {} }) },
  "extensions.revokeKey": { requests: one("The key to delete", { key: subKey.key }) },
  "extensions.sendMessage": {
    requests: {
      text: { summary: "A text", value: { user_id: "kim_01", type: "text", content: "See you at noon." } },
      file: { summary: "A file", value: { user_id: "kim_01", type: "file", file } },
    },
    answers: {
      text: { summary: "The text as it was stored", value: textMessage },
      file: { summary: "The file as it was stored", value: fileMessage },
    },
  },
};

function one(summary: string, value: unknown): Readonly<Record<string, Example>> {
  return { usual: { summary, value } };
}

function entry<User extends object>(user: User): User & { joined_at: number } {
  return { ...user, joined_at: at };
}
