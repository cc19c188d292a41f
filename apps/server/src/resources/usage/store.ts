import type { Db, Queryable, Statement } from "../../db/db";
import { type Row, rowOf } from "../../db/row";

export type UsageRow = Row<"UsageDay">;

/** The rows of these consecutive days. Days without activity have no row. */
export async function listUsage(db: Pick<Db, "prisma">, days: readonly Date[]): Promise<UsageRow[]> {
  const found = await db.prisma.usageDay.findMany({
    where: { day: { gte: days[0] ?? new Date(0), lte: days.at(-1) ?? new Date(0) } },
  });
  return found.map(rowOf);
}

const rangesPerStep = 200;

export interface CountedUsage {
  /** The position of the feed up to which events are counted. Undefined: another process is counting. */
  readonly position: number | undefined;
  /** Whether there may be more to count. */
  readonly isMore: boolean;
}

/**
 * Counts some of the numbered events that are not counted yet. One statement writes the counts and the new position, so each
 * event is counted once, even if a process is killed. The position row is locked: one process counts, the others do nothing.
 */
export async function countUsage(db: Queryable): Promise<CountedUsage> {
  const [counted] = await db.query(count, [rangesPerStep]);
  return { position: counted?.position, isMore: counted?.ranges === rangesPerStep };
}

// Ranges are counted completely: a snapshot that contains a range contains its events. If another process has just moved the
// position, the snapshot may lack newer ranges: then fewer are found, and none is counted twice.
const count: Statement<{ ranges: number; position: number }> = {
  name: "usage.count",
  text: `WITH progress AS MATERIALIZED (
      SELECT position FROM usage_positions FOR NO KEY UPDATE SKIP LOCKED
    ), range AS MATERIALIZED (
      SELECT range.* FROM progress CROSS JOIN LATERAL (
        SELECT last_position, transaction_ids FROM event_ranges WHERE after_position >= progress.position
        ORDER BY after_position LIMIT $1) AS range
    ), done AS (
      SELECT (to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC')::date AS day,
        count(*) FILTER (WHERE type = 'user.created') AS users_created,
        count(*) FILTER (WHERE type = 'user.deleted') AS users_deleted,
        count(*) FILTER (WHERE type = 'channel.created') AS channels_created,
        count(*) FILTER (WHERE type = 'message.created') AS messages_sent,
        COALESCE(sum((detail->>'imported')::bigint) FILTER (WHERE type = 'messages.imported'), 0) AS messages_imported,
        count(*) FILTER (WHERE type = 'message.deleted') AS messages_deleted
      FROM range CROSS JOIN unnest(range.transaction_ids) AS committed (id)
      CROSS JOIN LATERAL (
        SELECT type, detail, created_at FROM events WHERE transaction_id = committed.id OFFSET 0) AS event
      WHERE type IN ('user.created', 'user.deleted', 'channel.created', 'message.created', 'messages.imported',
        'message.deleted')
      GROUP BY 1
    ), added AS (
      INSERT INTO usage_days AS usage (day, users_created, users_deleted, channels_created, messages_sent,
        messages_imported, messages_deleted)
      SELECT * FROM done
      ON CONFLICT (day) DO UPDATE SET users_created = usage.users_created + excluded.users_created,
        users_deleted = usage.users_deleted + excluded.users_deleted,
        channels_created = usage.channels_created + excluded.channels_created,
        messages_sent = usage.messages_sent + excluded.messages_sent,
        messages_imported = usage.messages_imported + excluded.messages_imported,
        messages_deleted = usage.messages_deleted + excluded.messages_deleted
    ), moved AS (
      UPDATE usage_positions SET position = (SELECT max(last_position) FROM range) WHERE EXISTS (SELECT FROM range)
    )
    SELECT count(range) AS ranges, COALESCE(max(last_position), progress.position) AS position
    FROM progress LEFT JOIN range ON true GROUP BY progress.position`,
};
