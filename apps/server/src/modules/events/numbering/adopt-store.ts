import { withConnection } from "../../../db/connection/with-connection";
import { beginUnlimited } from "../../../db/transaction";

/**
 * Adapts the events of a restored dump to the current PostgreSQL server. Events are numbered by their transaction ids,
 * and another server may count transactions from a lower number, so new events would look as if they had been numbered
 * long ago. So all stored ids are moved below zero. Positions and cursors stay as they are. Must run before events are
 * written.
 */
export function adoptRestoredEvents(url: string): Promise<void> {
  return withConnection(url, async (client) => {
    const isRestored = async () => (await client.query(compare)).rows[0]?.isRestored === true;
    if (!(await isRestored())) return;
    await client.query(beginUnlimited);
    await client.query("LOCK TABLE events, event_ranges IN EXCLUSIVE MODE");
    // Another process may have been faster.
    if (await isRestored()) await client.query(shift);
    await client.query("COMMIT");
  });
}

const last = "SELECT * FROM event_ranges ORDER BY after_position DESC LIMIT 1";
const nextId = "(pg_snapshot_xmax(pg_current_snapshot())::text)::bigint";

// A server has assigned every id that it stored, and those of its snapshots.
const compare = `SELECT ${nextId} < GREATEST(last.next_transaction_id, (SELECT max(transaction_id) + 1 FROM events))
  AS "isRestored" FROM (${last}) AS last`;

// Events that have no position yet are looked for as those of running transactions are. The ranges keep the order in which
// that of an event is looked up.
const shift = `WITH last AS (${last}), highest AS (
    SELECT GREATEST(last.next_transaction_id, (SELECT max(transaction_id) FROM events)) AS id FROM last
  ), moved AS (
    UPDATE events SET transaction_id = transaction_id - highest.id - 1 FROM highest
  )
  UPDATE event_ranges SET
    transaction_ids = ARRAY(SELECT each - highest.id - 1 FROM unnest(event_ranges.transaction_ids) AS each),
    next_transaction_id = CASE WHEN event_ranges.after_position = last.after_position THEN ${nextId}
      ELSE event_ranges.next_transaction_id - highest.id - 1 END,
    running_transaction_ids = CASE WHEN event_ranges.after_position = last.after_position THEN ARRAY(
        SELECT DISTINCT transaction_id - highest.id - 1 FROM events
        WHERE transaction_id >= last.next_transaction_id OR transaction_id = ANY (last.running_transaction_ids))
      ELSE ARRAY(SELECT each - highest.id - 1 FROM unnest(event_ranges.running_transaction_ids) AS each) END
  FROM last, highest`;
