import type { Queryable, Statement } from "../../db/db";
import { lockHold, noteHold } from "./hold-store";

/** The channel whose reports the last step erased or left. */
export interface ReportCursor {
  readonly after: number;
}

const reportsPerStep = 500;

/**
 * Erases some reports about the users and by them, in one channel: a step waits for the lock of no channel while it holds another.
 * If messages are erased, also the texts of reports about deleted messages of the users, which may quote them.
 * The reports in a channel on hold stay until it ends. Returns undefined when all channels were visited.
 */
export async function eraseSomeReports(
  tx: Queryable,
  { pk: erasurePk, messages }: { pk: number; messages: string },
  users: readonly number[],
  { after = 0 }: Partial<ReportCursor>,
): Promise<ReportCursor | undefined> {
  const senders = messages === "erase" ? users : [];
  const [found] = await tx.query(findChannel, [users, after, senders]);
  if (found?.channelPk == null) return undefined;
  const { channelPk } = found;
  if (await lockHold(tx, channelPk)) {
    await noteHold(tx, erasurePk, channelPk);
    return { after: channelPk };
  }
  const erased = await tx.query(erase, [users, channelPk, reportsPerStep]);
  const quoting = await tx.query(eraseQuotes, [senders, channelPk, reportsPerStep]);
  return { after: Math.max(erased.length, quoting.length) === reportsPerStep ? after : channelPk };
}

const ofUsers = (column: string, condition: string) => `SELECT ${column} FROM reports
        WHERE reported_pk = ANY ($1::bigint[]) AND ${condition}
      UNION SELECT ${column} FROM reports WHERE reporter_pk = ANY ($1::bigint[]) AND ${condition}`;

const findChannel: Statement<{ channelPk: number | null }> = {
  name: "privacy.find-channel-of-reports",
  text: `SELECT min(channel_pk) AS "channelPk" FROM (${ofUsers("channel_pk", "channel_pk > $2")}
      UNION SELECT channel_pk FROM reports WHERE message_sender_pk = ANY ($3::bigint[]) AND channel_pk > $2) AS found`,
};

const erase: Statement<unknown> = {
  name: "privacy.erase-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL, reported_pk = NULL, reporter_pk = NULL,
      reported_user_id = NULL, reporter_user_id = NULL
    WHERE pk IN (${ofUsers("pk", "channel_pk = $2")} LIMIT $3) RETURNING 1`,
};

const eraseQuotes: Statement<unknown> = {
  name: "privacy.erase-quoting-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL, message_sender_pk = NULL
    WHERE pk IN (SELECT pk FROM reports WHERE message_sender_pk = ANY ($1::bigint[]) AND channel_pk = $2 LIMIT $3)
    RETURNING 1`,
};
