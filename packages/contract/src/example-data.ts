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

export const subKey = { key: "sk_EXAMPLE-00000000000000000000000000000000000", created_at: at };

/** A user as an entry of a participant or manager list. */
export function entry<User extends object>(user: User): User & { joined_at: number } {
  return { ...user, joined_at: at };
}
