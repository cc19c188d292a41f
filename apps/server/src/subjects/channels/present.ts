import { presentUser } from "../users/present";
import type { ChannelWithMembers } from "./create";
import type { ChannelRow } from "./store";

/** A channel as the wire has it; a picture that is not there is left out. */
export function presentChannel(channel: ChannelRow) {
  return {
    channel_id: channel.channelId,
    name: channel.name,
    ...(channel.profileUrl !== null && { profile_url: channel.profileUrl }),
    type: "group",
    freeze: channel.isFrozen,
    total_message_count: channel.totalMessageCount,
    total_file_count: channel.totalFileCount,
    meta: channel.meta,
    created_at: channel.createdAt,
    updated_at: channel.updatedAt,
  };
}

export function presentChannelWithMembers(channel: ChannelWithMembers) {
  return { ...presentChannel(channel), members: channel.members.map(presentUser) };
}
