import { presentUser, type Viewer } from "../users/present";
import type { ChannelWithMembers } from "./create-store";
import type { ChannelRow } from "./store";

/** Converts a channel to the wire format. What is not set is undefined, and so absent in JSON. */
export function presentChannel(channel: ChannelRow) {
  return {
    channel_id: channel.channelId,
    name: channel.name,
    profile_url: channel.profileUrl ?? undefined,
    type: "group",
    freeze: channel.isFrozen,
    slow_mode_seconds: channel.slowModeSeconds ?? undefined,
    retention: presentRetention(channel),
    total_message_count: channel.totalMessageCount,
    total_file_count: channel.totalFileCount,
    meta: channel.meta,
    created_at: channel.createdAt,
    updated_at: channel.updatedAt,
  };
}

/** The same as a user sees it: how long messages are kept, and whether they are held, is for the application. */
export function presentChannelTo(
  viewer: Viewer | undefined,
  channel: ChannelRow,
): Omit<ReturnType<typeof presentChannel>, "retention"> {
  const presented = presentChannel(channel);
  if (viewer === undefined) return presented;
  const {
    channel_id,
    name,
    profile_url,
    type,
    freeze,
    slow_mode_seconds,
    total_message_count,
    total_file_count,
    meta,
  } = presented;
  const { created_at, updated_at } = presented;
  return {
    channel_id,
    name,
    profile_url,
    type,
    freeze,
    slow_mode_seconds,
    total_message_count,
    total_file_count,
    meta,
    created_at,
    updated_at,
  };
}

export function presentChannelWithMembers(channel: ChannelWithMembers) {
  return { ...presentChannel(channel), members: channel.members.map(presentUser) };
}

/** Undefined in a channel that keeps messages as the server says. */
function presentRetention({ retentionDays, isHeld }: ChannelRow) {
  if (retentionDays === null && !isHeld) return undefined;
  return { days: retentionDays ?? undefined, hold: isHeld };
}
