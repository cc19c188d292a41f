import { lockChannel } from "../../chat/channels/lock-store";
import {
  type ChannelRow,
  channelColumns,
  channelFields,
  rejectUnknownChannel,
} from "../../chat/channels/store";
import { emit } from "../../chat/emit";
import type { Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { writeLocked } from "../../write/write-locked";
import type { Writer } from "../../write/writer";

/** Sets how long the messages of a channel are kept, and whether they are held. */
export async function setRetention(
  writer: Writer,
  channelId: string,
  { days, hold }: { days: number | null; hold: boolean },
  now: number,
): Promise<ChannelRow> {
  const [updated] = await writeLocked(
    writer,
    [lockChannel, [channelId]],
    [set, [channelId, days, hold, now]],
  );
  return updated ?? rejectUnknownChannel(channelId);
}

// The lock waits for a running step of the sweeper, so nothing is erased after a hold has been set.
const set: Statement<ChannelRow> = {
  name: "channels.set-retention",
  text: `WITH before AS (
      SELECT pk AS old_pk, (retention_days, is_held) IS DISTINCT FROM ($2::integer, $3::boolean) AS is_changed FROM channels
      WHERE channel_id = $1 AND deleted_at IS NULL
    ), updated AS (
      UPDATE channels SET retention_days = $2::integer, is_held = $3::boolean,
        updated_at = CASE WHEN is_changed THEN GREATEST($4, updated_at + 1) ELSE updated_at END
      FROM before WHERE pk = old_pk RETURNING pk, is_changed, ${channelColumns}
    ), emitted AS (${emit("channel.updated", { channelPk: "pk", channelId: '"channelId"' }, "updated WHERE is_changed")})
    SELECT ${nameList("updated", channelFields)} FROM updated`,
};
