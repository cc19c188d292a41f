import type { Queryable, Statement } from "../../db/db";
import { isHeld, lockOne } from "../channels/lock-store";
import { keysOf } from "../memberships/end-roles-store";

/**
 * Resumes the erasures that left rows in a channel whose hold has ended or that was deleted. Returns whether there are any. A
 * resumed erasure counts the rows in channels that are still held again.
 */
export async function resumeErasures(tx: Queryable): Promise<boolean> {
  const noted = keysOf(await tx.query(listNoted));
  if (noted.length === 0) return false;
  const held = new Set<number>();
  for (const shard of tx.shards())
    for (const channel of await shard.query(listHeld, [noted])) held.add(channel.pk);
  const released = noted.filter((pk) => !held.has(pk));
  return released.length > 0 && (await tx.query(resume, [released])).length > 0;
}

/** Locks a channel until the transaction ends. Returns whether it is held. */
export async function lockHold(tx: Queryable, channelPk: number): Promise<boolean> {
  const found = [];
  for (const shard of tx.shards()) found.push(...(await shard.query(lockOne, [channelPk])));
  return found.some(({ isHeld }) => isHeld);
}

/** Remembers that the erasure left rows in a channel that is held. */
export const noteHold = (tx: Queryable, erasurePk: number, channelPk: number): Promise<unknown> =>
  tx.query(note, [erasurePk, channelPk]);

const note: Statement<unknown> = {
  name: "privacy.note-hold",
  text: `INSERT INTO erasure_holds (erasure_pk, channel_pk) VALUES ($1::bigint, $2::bigint)
    ON CONFLICT DO NOTHING RETURNING 1`,
};

const listNoted: Statement<{ pk: number }> = {
  name: "privacy.list-noted-holds",
  text: "SELECT DISTINCT channel_pk AS pk FROM erasure_holds",
};

const listHeld: Statement<{ pk: number }> = {
  name: "privacy.list-held",
  text: `SELECT pk FROM {channels} WHERE pk = ANY ($1::bigint[]) AND ${isHeld}`,
};

// Resumes at `reactions`: the earlier stages are complete, because nothing new is stored for a deleted user.
const resume: Statement<unknown> = {
  name: "privacy.resume",
  text: `WITH released AS (
      SELECT DISTINCT erasure_pk FROM erasure_holds WHERE channel_pk = ANY ($1::bigint[])
    ), forgotten AS (
      DELETE FROM erasure_holds h USING released WHERE h.erasure_pk = released.erasure_pk
    )
    UPDATE erasures SET status = 'running', stage = 'reactions', cursor = '{}', held_messages = 0, completed_at = NULL
    FROM released WHERE pk = released.erasure_pk AND status = 'done' RETURNING 1`,
};
