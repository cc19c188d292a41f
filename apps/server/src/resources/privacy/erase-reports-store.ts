import type { Queryable, Statement } from "../../db/db";
import { lockHold, noteHold } from "./hold-store";

/** The channel whose reports the last step erased or left. */
export interface ReportPlace {
  readonly after: number;
}

const reportsPerStep = 500;

/**
 * Erases some reports about the users and by them, in one channel: a step waits for the lock of no channel while it holds another.
 * The reports in a channel on hold stay until it ends. Returns undefined when all channels were visited.
 */
export async function eraseSomeReports(
  tx: Queryable,
  erasurePk: number,
  users: readonly number[],
  { after = 0 }: Partial<ReportPlace>,
): Promise<ReportPlace | undefined> {
  const [found] = await tx.query(findChannel, [users, after]);
  if (found?.channelPk == null) return undefined;
  const { channelPk } = found;
  if (await lockHold(tx, channelPk)) {
    await noteHold(tx, erasurePk, channelPk);
    return { after: channelPk };
  }
  const erased = await tx.query(erase, [users, channelPk, reportsPerStep]);
  return { after: erased.length === reportsPerStep ? after : channelPk };
}

const ofUsers = (column: string, condition: string) => `SELECT ${column} FROM reports
        WHERE reported_pk = ANY ($1::bigint[]) AND ${condition}
      UNION SELECT ${column} FROM reports WHERE reporter_pk = ANY ($1::bigint[]) AND ${condition}`;

const findChannel: Statement<{ channelPk: number | null }> = {
  name: "privacy.find-channel-of-reports",
  text: `SELECT min(channel_pk) AS "channelPk" FROM (${ofUsers("channel_pk", "channel_pk > $2")}) AS found`,
};

const erase: Statement<unknown> = {
  name: "privacy.erase-reports",
  text: `UPDATE reports SET reason = 'Erased', resolution = NULL, reported_pk = NULL, reporter_pk = NULL,
      reported_user_id = NULL, reporter_user_id = NULL
    WHERE pk IN (${ofUsers("pk", "channel_pk = $2")} LIMIT $3) RETURNING 1`,
};
