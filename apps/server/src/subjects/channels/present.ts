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
    total_message_count: Number(channel.totalMessageCount),
    total_file_count: Number(channel.totalFileCount),
    // The checks of the table and of the contract let nothing else in.
    meta: channel.meta as Record<string, string>,
    created_at: Number(channel.createdAt),
    updated_at: Number(channel.updatedAt),
  };
}

export function presentChannelWithMembers(channel: ChannelWithMembers) {
  return { ...presentChannel(channel), members: channel.members.map(presentUser) };
}
