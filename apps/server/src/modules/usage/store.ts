import type { Database, Db, Statement } from "../../db/db";
import { fromPrisma, type Row } from "../../db/row";
import type { Consumed } from "../../jobs/run-jobs";
import { consume, eventsOfBatch, findBatchEnd } from "../events/consumers-store";

export type UsageRow = Row<"UsageDay">;

/** The rows of these consecutive days. Days without activity have no row. */
export async function listUsage(db: Pick<Database, "prisma">, days: readonly Date[]): Promise<UsageRow[]> {
  const found = await db.prisma.usageDay.findMany({
    where: { day: { gte: days[0] ?? new Date(0), lte: days.at(-1) ?? new Date(0) } },
  });
  return found.map(fromPrisma);
}

const rangesPerStep = 200;

/** Counts some of the numbered events that are not counted yet, each once. */
export const countUsage = (db: Db): Promise<Consumed> =>
  consume(db, "usage", async (tx, after) => {
    const through = await findBatchEnd(tx, after, rangesPerStep);
    if (through !== undefined) await tx.query(count, [after, through]);
    return through;
  });

const count: Statement<unknown> = {
  name: "usage.count",
  text: `INSERT INTO usage_days AS usage (day, users_created, users_deleted, channels_created, messages_sent,
      messages_imported, messages_deleted)
    SELECT (to_timestamp(event.created_at / 1000.0) AT TIME ZONE 'UTC')::date,
      count(*) FILTER (WHERE type = 'user.created'), count(*) FILTER (WHERE type = 'user.deleted'),
      count(*) FILTER (WHERE type = 'channel.created'), count(*) FILTER (WHERE type = 'message.created'),
      COALESCE(sum((detail->>'imported')::bigint) FILTER (WHERE type = 'messages.imported'), 0),
      count(*) FILTER (WHERE type = 'message.deleted')
    FROM ${eventsOfBatch} AND type IN ('user.created', 'user.deleted', 'channel.created', 'message.created',
      'messages.imported', 'message.deleted')
    GROUP BY 1
    ON CONFLICT (day) DO UPDATE SET users_created = usage.users_created + excluded.users_created,
      users_deleted = usage.users_deleted + excluded.users_deleted,
      channels_created = usage.channels_created + excluded.channels_created,
      messages_sent = usage.messages_sent + excluded.messages_sent,
      messages_imported = usage.messages_imported + excluded.messages_imported,
      messages_deleted = usage.messages_deleted + excluded.messages_deleted`,
};
