import { lockOne } from "../../chat/channels/lock-store";
import type { ErasureStep } from "../../chat/erasure";
import type { Statement, Tx } from "../../db/db";

/**
 * Erases the texts of reports that name the users or are about their messages, and the users in them, in the channel after the
 * given one: a step waits for the lock of no channel while it holds another. The reports in a channel on hold stay.
 */
export async function eraseReports(
  tx: Tx,
  users: readonly number[],
  [after = 0]: readonly number[] = [],
): Promise<ErasureStep> {
  const [found] = await tx.query(findChannel, [users, after]);
  if (found?.channelPk == null) return { next: undefined };
  const { channelPk } = found;
  return whileChannelLocked(tx, channelPk, async (isHeld) => {
    if (isHeld) return { next: [channelPk], heldChannels: [channelPk] };
    const erased = await tx.query(erase, [users, channelPk, reportsPerStep]);
    return { next: [erased.length === reportsPerStep ? after : channelPk] };
  });
}

const reportsPerStep = 500;

/** Runs work while a channel is locked. The work gets whether it is held. */
async function whileChannelLocked<Result>(
  tx: Tx,
  channelPk: number,
  work: (isHeld: boolean) => Promise<Result>,
): Promise<Result> {
  for (const schema of tx.schemas()) {
    const done = await schema.transaction(async (tx) => {
      const [channel] = await tx.query(lockOne, [channelPk]);
      return channel && { result: await work(channel.isHeld) };
    });
    if (done !== undefined) return done.result;
  }
  return work(false);
}

const ofUsers = (column: string, condition: string) =>
  ["reported_pk", "reporter_pk", "message_sender_pk"]
    .map((user) => `SELECT ${column} FROM reports WHERE ${user} = ANY ($1::bigint[]) AND ${condition}`)
    .join(" UNION ");

const findChannel: Statement<{ channelPk: number | null }> = {
  name: "reports.find-channel-of-users",
  text: `SELECT min(channel_pk) AS "channelPk" FROM (${ofUsers("channel_pk", "channel_pk > $2")}) AS found`,
};

/** The column, or null if it names one of the users. */
const unlessErased = (column: string, userPk: string) =>
  `${column} = CASE WHEN ${userPk} = ANY ($1::bigint[]) THEN NULL ELSE ${column} END`;

const erase: Statement<unknown> = {
  name: "reports.erase",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL,
      ${unlessErased("reported_user_id", "reported_pk")}, ${unlessErased("reporter_user_id", "reporter_pk")},
      ${unlessErased("reported_pk", "reported_pk")}, ${unlessErased("reporter_pk", "reporter_pk")},
      ${unlessErased("evidence", "message_sender_pk")}, ${unlessErased("message_sender_pk", "message_sender_pk")}
    WHERE pk IN (SELECT pk FROM (${ofUsers("pk", "channel_pk = $2")}) AS found LIMIT $3) RETURNING 1`,
};
