import type { Reader, Statement } from "../db";

/** A place in the log of changes that a primary writes and its replicas do again. */
export interface LogPlace {
  /** Changes when a replica becomes the primary: places of two timelines cannot be compared. */
  readonly timeline: string;
  readonly lsn: string;
}

/** Where the primary's log ends. All that any answer has shown until now lies before it. */
export async function findLogPlace(primary: Reader): Promise<LogPlace> {
  const [place] = await primary.query(findPlace);
  if (place === undefined) throw new Error("The database did not say where its log ends.");
  return place;
}

/**
 * Whether a replica has done everything up to the places. It must be asked before the rows are, in a statement of its
 * own: one statement fixes what it sees before it looks at the log, and would miss what was done between the two.
 */
export async function hasReached(replica: Reader, first: LogPlace, second: LogPlace): Promise<boolean> {
  if (first.timeline !== second.timeline) return false;
  const [answer] = await replica.query(compare, [first.lsn, second.lsn, first.timeline]);
  return answer?.isReached === true;
}

// Not the end of what is on disk: a transaction may show before it is there, when the database is set so.
const findPlace: Statement<LogPlace> = {
  name: "replica.find-place",
  text: `SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) AS timeline,
    pg_current_wal_insert_lsn()::text AS lsn`,
};

// A replica that became a primary still says what it had done last, but follows nobody any more.
const compare: Statement<{ isReached: boolean | null }> = {
  name: "replica.compare",
  text: `SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= GREATEST($1::pg_lsn, $2::pg_lsn)
      AND lpad(upper(to_hex(min_recovery_end_timeline)), 8, '0') = $3 AS "isReached"
    FROM pg_control_recovery()`,
};
