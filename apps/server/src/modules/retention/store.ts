import { lockChannels } from "../../chat/channels/lock-store";
import { type ChannelRow, channelResource, rejectUnknownChannel } from "../../chat/channels/store";
import type { Writer } from "../../write/writer";

/** Sets how long the messages of a channel are kept, and whether they are held. */
export async function setRetention(
  writer: Writer,
  channelId: string,
  { days, hold }: { days: number | null; hold: boolean },
  now: number,
): Promise<ChannelRow> {
  const [updated] = await writer.write(set, { id: channelId, now, days, hold });
  return updated ?? rejectUnknownChannel(channelId);
}

// The lock waits for a running step of the sweeper, so nothing is erased after a hold has been set.
const set = channelResource.defineChange({
  name: "channels.set-retention",
  columns: { days: "integer", hold: "boolean" },
  lock: lockChannels,
  isChanged: "(retention_days, is_held) IS DISTINCT FROM (days, hold)",
  assignments: "retention_days = days, is_held = hold",
});
