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
export const file = { message_id: "1700000000000-1042", ...sent, type: "file", file: image };

export const sentEvent = {
  event_id: "evt_1700000000000_7",
  type: "message.created",
  created_at: at,
  channel_id: lunch.channel_id,
  user_id: kim.user_id,
  data: { message_id: text.message_id, message: text },
};

export const newSubKey = { label: "billing", expires_at: 4_102_444_800_000 };
export const createdSubKey = {
  key: "sk_EXAMPLE-00000000000000000000000000000000000",
  key_id: "key_0f3a9c41d7be5208",
  ...newSubKey,
  created_at: at,
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
export const attempt = { event_id: "4021", attempt: 1, status: 204, duration_ms: 48, created_at: at };

/** A user as an entry of a participant or manager list. */
export function entry<User extends object>(user: User): User & { joined_at: number } {
  return { ...user, joined_at: at };
}
