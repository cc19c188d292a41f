import { lockSome } from "../../chat/channels/lock-store";
import type { ErasureStep, InChannel, PersonalRows } from "../../chat/erasure";
import type { Statement, Tx } from "../../db/db";

/** Whose rows to erase, and in which schema. */
interface Subject {
  readonly erasurePk: number;
  readonly schemaIndex: number;
  readonly userPk: number;
}

/** Erases the next rows of a user in a schema, except in channels on hold, and counts what it erased. */
export async function erasePersonalRows(
  tx: Tx,
  personalRows: PersonalRows,
  { erasurePk, schemaIndex, userPk }: Subject,
  after = personalRows.start,
): Promise<ErasureStep> {
  const schema = tx.schemas()[schemaIndex];
  if (schema === undefined) return { next: undefined };
  const { picked, locked, erased } = await schema.transaction(async (tx) => {
    const picked = await personalRows.pick(tx, userPk, after);
    const channels = picked.length === 0 ? [] : await lockSome(tx, channelsOf(picked));
    const locked = new Map(channels.map((each) => [each.pk, each]));
    const free = picked.filter((row) => locked.get(row.channelPk)?.isHeld === false);
    return { picked, locked, erased: free.length === 0 ? [] : await personalRows.erase(tx, free, userPk) };
  });
  if (picked.length === 0) return { next: undefined };
  if (erased.length > 0)
    await tx.query(count, [erasurePk, personalRows.areMessages ? erased.length : 0, channelsOf(erased)]);
  // The next step begins with the first row whose channel was not locked.
  const left = picked.findIndex((row) => !locked.has(row.channelPk));
  const visited = left < 0 ? picked : picked.slice(0, left);
  const held = visited.filter((row) => locked.get(row.channelPk)?.isHeld === true);
  const last = visited.at(-1);
  return {
    next: last === undefined ? after : personalRows.positionOf(last),
    heldChannels: channelsOf(held),
    heldMessages: personalRows.areMessages ? held.length : 0,
  };
}

const channelsOf = (rows: readonly InChannel[]) => [...new Set(rows.map(({ channelPk }) => channelPk))];

/** Each channel counts once. */
const count: Statement<unknown> = {
  name: "privacy.count",
  text: `WITH added AS (
      INSERT INTO erasure_channels (erasure_pk, channel_pk) SELECT $1::bigint, unnest($3::bigint[])
      ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE erasures SET erased_messages = erased_messages + $2::bigint,
      erased_channels = erased_channels + (SELECT count(*) FROM added)
    WHERE pk = $1 RETURNING 1`,
};
