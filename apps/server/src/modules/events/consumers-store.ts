import type { Db, Statement, Tx } from "../../db/db";
import type { Consumed } from "../../jobs/run-jobs";

/**
 * Does a step of a consumer: `work` handles events after the position of the consumer and returns the position that it has
 * reached, or undefined if there are none. The position moves in the transaction of the work, so each event takes effect once,
 * even if a process is killed. Its row is locked, so one process at a time does the work.
 */
export function consume(
  db: Db,
  name: string,
  work: (tx: Tx, after: number) => Promise<number | undefined>,
): Promise<Consumed> {
  return db.transaction(async (tx) => {
    const [consumer] = await tx.query(lock, [name]);
    if (consumer === undefined) return "locked";
    const reached = await work(tx, consumer.position);
    if (reached === undefined) return false;
    if (reached !== consumer.position) await moveConsumer(tx, name, reached);
    return true;
  });
}

export async function moveConsumer(tx: Tx, name: string, position: number): Promise<void> {
  await tx.query(move, [name, position]);
}

/**
 * The end of some ranges of events after the end of another range. Undefined: there are none. Ranges are read as a whole: a
 * snapshot that contains a range contains its events.
 */
export async function findBatchEnd(tx: Tx, after: number, maxRanges: number): Promise<number | undefined> {
  const [found] = await tx.query(findEnd, [after, maxRanges]);
  return found?.position ?? undefined;
}

/** SQL: the events after the end of a range, $1, up to the end of another, $2. OFFSET makes PostgreSQL look for each transaction. */
export const eventsOfBatch = `event_ranges AS range CROSS JOIN unnest(range.transaction_ids) AS committed (id)
      CROSS JOIN LATERAL (SELECT * FROM events WHERE transaction_id = committed.id OFFSET 0) AS event
      WHERE range.after_position >= $1 AND range.after_position < $2`;

const lock: Statement<{ position: number }> = {
  name: "consumers.lock",
  text: "SELECT position FROM consumers WHERE name = $1 FOR NO KEY UPDATE SKIP LOCKED",
};

const move: Statement<unknown> = {
  name: "consumers.move",
  text: "UPDATE consumers SET position = $2 WHERE name = $1",
};

const findEnd: Statement<{ position: number | null }> = {
  name: "consumers.find-batch-end",
  text: `SELECT max(last_position) AS position FROM (
      SELECT last_position FROM event_ranges WHERE after_position >= $1 ORDER BY after_position LIMIT $2) AS range`,
};
