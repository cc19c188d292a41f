import { type NewChannel, worldTime } from "./world";

export const room: NewChannel = { channel_id: "room_1", name: "Lunch" };

/** A channel of a world, as it is answered. */
export function presentChannel(channel: NewChannel, change: object = {}) {
  const { at = worldTime, frozen = false, channel_id, name, profile_url, meta = {} } = channel;
  return {
    channel_id,
    name,
    ...(profile_url !== undefined && { profile_url }),
    type: "group",
    freeze: frozen,
    total_message_count: 0,
    total_file_count: 0,
    meta,
    created_at: at,
    updated_at: at,
    ...change,
  };
}
