import { type Db, readSchemas, type Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import { eventsAfterSnapshot } from "../events/numbering/number-store";
import type { Extent } from "./extent";

/** `readUnindexed` returns this number if there may be more. */
export const maxUnindexed = 1_000;

/**
 * The changed messages before a position whose events the index has not consumed, newest first: the signatures of their blocks may lack
 * them. All those of one time are returned, even if there are more than `maxUnindexed`.
 */
export async function readUnindexed(
  db: Db,
  statement: Statement<Extent>,
  ownerPk: number,
  before: Position,
): Promise<readonly Extent[]> {
  const values = [ownerPk, before.createdAt, before.pk, maxUnindexed];
  if (!db.isDistributed) return db.query(statement, values);
  // On the schemas first: from there, events move to the coordinator.
  const onSchemas = await readSchemas(db, uncollected, values);
  const onCoordinator = await db.query(ofAllChannels, values);
  const all = [...onSchemas.flat(), ...onCoordinator].sort((one, other) => other.toAt - one.toAt);
  const last = all[maxUnindexed - 1];
  return last === undefined ? all : all.filter(({ toAt }) => toAt >= last.toAt);
}

const columns = "type, channel_pk, message_created_at, message_pk, detail";
const isChange = "type IN ('message.updated', 'messages.imported')";

/**
 * The index is at the end of a range, which has the snapshot with which it was made. It has not consumed the events of the
 * transactions that this snapshot does not see, whether they have a position yet or not.
 */
const unconsumed = `reached AS MATERIALIZED (
      SELECT COALESCE(next_transaction_id, 0) AS next_transaction_id, running_transaction_ids
      FROM (SELECT) AS one LEFT JOIN (
        SELECT next_transaction_id, running_transaction_ids FROM event_ranges
        WHERE after_position < (SELECT position FROM consumers WHERE name = 'search')
        ORDER BY after_position DESC LIMIT 1) AS range ON true
    ), event AS MATERIALIZED (
      ${eventsAfterSnapshot("reached", columns, isChange)}
    )`;

/** $1: the channel or user, $2 and $3: the position, $4: the maximum. */
const defineChanges = (name: string, events: string, condition: string): Statement<Extent> => ({
  name,
  text: `WITH ${events}, change AS (
      SELECT channel_pk, message_created_at AS from_at, message_pk - 1 AS from_pk, message_created_at AS to_at,
        message_pk AS to_pk
      FROM event WHERE type = 'message.updated' AND ${condition}
      UNION ALL
      SELECT channel_pk, time::bigint, -1, time::bigint, ${Number.MAX_SAFE_INTEGER}
      FROM event CROSS JOIN LATERAL jsonb_array_elements_text(detail->'times') AS time
      WHERE type = 'messages.imported' AND ${condition}
    )
    SELECT DISTINCT channel_pk AS "channelPk", from_at AS "fromAt", from_pk AS "fromPk", to_at AS "toAt", to_pk AS "toPk"
    FROM change WHERE (from_at, from_pk + 1) < ($2::bigint, $3::bigint)
    ORDER BY to_at DESC FETCH FIRST $4 ROWS WITH TIES`,
});

export const unindexedOfChannel = defineChanges(
  "search.changes-of-channel",
  unconsumed,
  "channel_pk = $1::bigint",
);

export const unindexedOfUser = defineChanges(
  "search.changes-of-user",
  unconsumed,
  "EXISTS (SELECT FROM members m WHERE m.channel_pk = event.channel_pk AND m.user_pk = $1::bigint)",
);

const ofAllChannels = defineChanges("search.changes", unconsumed, "$1::bigint IS NOT NULL");

const uncollected = defineChanges(
  "search.uncollected-changes",
  `event AS MATERIALIZED (SELECT ${columns} FROM events WHERE ${isChange})`,
  "$1::bigint IS NOT NULL",
);
