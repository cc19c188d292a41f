const at = 1_700_000_000_000;
const times = { created_at: at, updated_at: at };

/** The resources that the examples of all operations share. */
export const kim = { user_id: "kim_01", name: "Kim", meta: { team: "blue" }, ...times };

export const park = {
  user_id: "park_03",
  name: "Park",
  profile_url: "https://example.com/park.png",
  meta: {},
  ...times,
};

export const lunch = {
  channel_id: "room_1",
  name: "Lunch",
  type: "group",
  freeze: false,
  total_message_count: 2,
  total_file_count: 1,
  meta: {},
  ...times,
};

export const image = {
  type: "image/png",
  name: "menu.png",
  url: "https://example.com/menu.png",
  size: 48_213,
};

const sent = { channel_id: lunch.channel_id, user: kim, meta: {}, ...times };
export const text = { message_id: "1700000000000-1041", ...sent, type: "text", content: "See you at noon." };
export const reply = {
  message_id: "1700000000000-1043",
  ...sent,
  user: park,
  type: "text",
  content: "Noon is fine, Kim.",
  reply_to: text.message_id,
  mentions: [kim.user_id],
};
export const system = {
  message_id: "1700000000000-1044",
  channel_id: lunch.channel_id,
  type: "system",
  content: "Park joined.",
  meta: {},
  ...times,
};
export const streaming = {
  message_id: "1700000000000-1045",
  ...sent,
  type: "text",
  content: "",
  state: "streaming",
  append_count: 0,
};
export const file = { message_id: "1700000000000-1042", ...sent, type: "file", file: image };

export const newFile = {
  channel_id: lunch.channel_id,
  user_id: kim.user_id,
  name: "menu.png",
  type: "image/png",
  size: 48_213,
};
const fileOfKim = {
  file_id: "file_7c9e6679e1f84cb8a40de44b07fc90ae",
  name: newFile.name,
  type: newFile.type,
  size: newFile.size,
};
export const attachment = {
  ...fileOfKim,
  url: "https://chat.example.com/v1/files/file_7c9e6679e1f84cb8a40de44b07fc90ae/content?expires=1700006400000&signature=bm90IGEgc2lnbmF0dXJl",
};
export const storedFile = { ...attachment, status: "ready", created_at: at };
export const waitingFile = {
  ...fileOfKim,
  status: "waiting",
  created_at: at,
  upload: {
    method: "PUT",
    url: "https://chat.example.com/v1/files/file_7c9e6679e1f84cb8a40de44b07fc90ae/content?expires=1700003600000&signature=bm90IGEgc2lnbmF0dXJl",
    headers: { "content-type": "image/png" },
    expires_at: at + 3_600_000,
  },
};

export const withFile = {
  ...text,
  message_id: "1700000000000-1045",
  content: "The menu.",
  attachments: [attachment],
};

export const reactionCounts = [{ reaction: "👍", count: 2 }];

export const sentEvent = {
  event_id: "evt_1700000000000_7",
  type: "message.created",
  created_at: at,
  channel_id: lunch.channel_id,
  user_id: kim.user_id,
  data: { message_id: text.message_id, message: text },
};

export const newSubKey = {
  label: "billing",
  scopes: ["read", "messages.send"],
  expires_at: 4_102_444_800_000,
};
export const createdSubKey = {
  key: "sk_EXAMPLE-00000000000000000000000000000000000",
  key_id: "key_0f3a9c41d7be5208",
  ...newSubKey,
  created_at: at,
};
export const userToken = {
  token: "ut_EXAMPLE-000000000000000000000000000000000000000000",
  expires_at: at + 3_600_000,
};
export const subKey = { ...createdSubKey, last_used_at: at + 60_000 };

export const webhook = {
  webhook_id: "wh_0b7c1f9ed6a14f0cb0a5d8b2f4f5e6a7",
  url: "https://hooks.example.com/madang",
  types: ["message.created", "message.updated", "message.deleted"],
  description: "Search index",
  enabled: true,
  ...times,
};
export const webhookSecret = "whsec_EXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLEEXAMPLE0=";
/** A cursor of the feed of events. */
export const feedCursor = "eyJwb3NpdGlvbiI6Nn0.c2lnbmF0dXJlLW9mLTIyLQ";
export const sentCursor = "eyJwb3NpdGlvbiI6N30.c2lnbmF0dXJlLW9mLTIyLQ";
export const attempt = {
  event_id: "evt_1700000000000_7",
  after: feedCursor,
  attempt: 1,
  status: 204,
  duration_ms: 48,
  created_at: at,
};

export const block = { user: park, created_at: at };

export const ban = { user: park, until: 4_102_444_800_000, reason: "Advertising", created_at: at };

export const filter = {
  filter_id: "flt_5b2c9d0e7f1a4b6c8d3e2f1a0b9c8d7e",
  label: "Advertising",
  word_count: 2,
  action: "reject",
  hit_count: 3,
  ...times,
};
export const newFilter = { label: filter.label, words: ["buy now", "casino*"], action: filter.action };

export const newHook = {
  url: "https://hooks.example.com/check",
  operations: ["messages.send", "messages.update"],
  callers: "users",
  on_failure: "accept",
};
export const hook = {
  hook_id: "hook_2f7d0c1b9a8e4d3f8c6b5a4e3d2c1b0a",
  ...newHook,
  timeout_ms: 1_500,
  ...times,
};
export const hookAttempt = {
  operation: "messages.send",
  outcome: "accept",
  status: 200,
  duration_ms: 21,
  created_at: 1_700_000_000_000,
};

export const newReport = {
  channel_id: lunch.channel_id,
  message_id: text.message_id,
  reported_user_id: kim.user_id,
  reporter_user_id: "park_03",
  reason: "Advertising",
};
export const report = {
  report_id: "rep_6f1c0d5e2b7a4c3d9e8f7a6b5c4d3e2f",
  ...newReport,
  status: "open",
  ...times,
};
export const resolvedReport = { ...report, status: "resolved", resolution: "The message was deleted." };

export const newErasure = { user_id: kim.user_id, messages: "erase" };
export const startedErasure = {
  erasure_id: "era_2d9c7f40b1e84a6f9d3c5b7a8e1f0642",
  ...newErasure,
  status: "running",
  erased: { messages: 0, memberships: 0, channels: 0 },
  created_at: at,
};
export const erasure = {
  ...startedErasure,
  status: "done",
  erased: { messages: 2, memberships: 1, channels: 1 },
  completed_at: at + 60_000,
};

export const usageDay = {
  day: "2026-11-23",
  users_created: 12,
  users_deleted: 1,
  channels_created: 4,
  messages_sent: 1_830,
  messages_imported: 0,
  messages_deleted: 7,
};

/** A user as an entry of a participant or manager list. */
export function entry<User extends object>(user: User): User & { joined_at: number } {
  return { ...user, joined_at: at };
}

export const auditEntry = {
  entry_id: "184",
  at,
  operation: "users.delete",
  method: "DELETE",
  status: 200,
  kind: "sub",
  key_id: createdSubKey.key_id,
  actor: "jane@example.com",
  reason: "ticket 4711",
  address: "203.0.113.7",
  user_id: park.user_id,
};

export const pushPublicKey =
  "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
/** The subscription of RFC 8291, appendix A. */
export const newDevice = {
  provider: "webpush",
  endpoint: "https://push.example.com/send/cXVp",
  keys: {
    p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    auth: "BTBZMqHH6r4Tts7J_aSIgg",
  },
  locale: "ko-KR",
};
export const device = {
  device_id: "phone-1",
  provider: "webpush",
  locale: "ko-KR",
  ...times,
  last_push: { at: at + 60_000, status: 201 },
};
