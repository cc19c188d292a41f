import type { Reader, Statement } from "../db";

/** A position in the write-ahead log that a primary writes and its replicas replay. */
export interface LogPosition {
  /** Changes when a replica is promoted. Positions of different timelines cannot be compared. */
  readonly timeline: string;
  readonly lsn: string;
}

/** The end of the primary's log. It covers everything that any response has shown so far. */
export async function findLogPosition(primary: Reader): Promise<LogPosition> {
  const [position] = await primary.query(findPosition);
  if (position === undefined) throw new Error("PostgreSQL returned no log position.");
  return position;
}

/**
 * Whether a replica has replayed the log up to both positions. This must be a separate statement before the rows are read:
 * a statement takes its snapshot before it reads the position, and would miss what was replayed in between.
 */
export async function hasReached(replica: Reader, first: LogPosition, second: LogPosition): Promise<boolean> {
  if (first.timeline !== second.timeline) return false;
  const [row] = await replica.query(compare, [first.lsn, second.lsn, first.timeline]);
  return row?.isReached === true;
}

// The insert position, not the flush position: with asynchronous commit, a transaction is visible before it is flushed.
const findPosition: Statement<LogPosition> = {
  name: "replica.find-position",
  text: `SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
    pg_current_wal_insert_lsn()::text AS lsn`,
};

// A promoted replica still reports its last replayed position, but no longer follows the primary.
const compare: Statement<{ isReached: boolean | null }> = {
  name: "replica.compare",
  text: `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= GREATEST($1::pg_lsn, $2::pg_lsn)
      AND lpad(upper(to_hex(min_recovery_end_timeline)), 8, '0') = $3 AS "isReached"
    FROM pg_control_recovery()`,
};
