import { limits } from "@madang/contract";
import { lockChannelsFully } from "../../chat/channels/lock-store";
import { checkOfRight } from "../../chat/channels/rights-store";
import { type ChannelRow, channelResource, rejectUnknownChannel } from "../../chat/channels/store";
import { type Db, databaseNow } from "../../db/db";
import { defineSweep } from "../../db/sweep-old";
import { openWriter, type Writer } from "../../write/writer";

/** Sets how long participants wait between two messages. 0: not at all. */
export async function setSlowMode(
  writer: Writer,
  channelId: string,
  seconds: number,
  now: number,
): Promise<ChannelRow> {
  const check = checkOfRight(writer, { channelId });
  const [updated] = await writer.writeAll(async (tx) => {
    await check?.(tx);
    await tx.query(lockChannelsFully, [[channelId]]);
    await check?.(tx);
    return openWriter(tx).write(set, { id: channelId, now, seconds });
  });
  return updated ?? rejectUnknownChannel(channelId);
}

// A send that waited for the channel finds another revision, and runs again.
const set = channelResource.defineChange({
  name: "channels.set-slow-mode",
  columns: { seconds: "integer" },
  lock: lockChannelsFully,
  isChanged: "slow_mode_seconds IS DISTINCT FROM NULLIF(seconds, 0)",
  assignments: `slow_mode_seconds = NULLIF(seconds, 0), moderation_revision = moderation_revision + 1,
    slow_mode_since = CASE WHEN seconds > 0 THEN COALESCE(slow_mode_since, ${databaseNow}) END`,
});

const sweep = defineSweep("slow-mode.sweep", "slow_mode_sends", "channel_pk, user_pk", "sent_at");

/** Removes times that slow mode cannot need any more, and returns whether more may remain. */
export const sweepSlowModeSends = (db: Db): Promise<boolean> =>
  sweep(db.schemas(), limits.slowModeSeconds.max * 1_000);
