import type { Database, Statement } from "../../db/db";
import { type Field, fromPrisma, type Row } from "../../db/row";
import { defineSweep } from "../../db/sweep-old";
import { olderThan, type Position } from "../../paging/position";
import type { KeyMaker } from "../../security/secret";
import type { Writer } from "../../write/writer";
import type { AttemptOutcome } from "./delivery/receivers";
import { type Target, targetColumns } from "./delivery/target-store";

const selection = {
  eventId: true,
  channelPk: true,
  attempt: true,
  status: true,
  durationMs: true,
  error: true,
  createdAt: true,
} as const satisfies { readonly [Name in Field<"WebhookAttempt">]?: true };

export type AttemptRow = Row<"WebhookAttempt", keyof typeof selection>;

/** The attempts of a webhook before a position, newest first. */
export async function listAttempts(
  db: Database,
  webhookPk: number,
  before: Position,
  count: number,
): Promise<(AttemptRow & Position)[]> {
  const found = await db.prisma.webhookAttempt.findMany({
    select: { pk: true, ...selection },
    where: { webhookPk, ...olderThan(before), durationMs: { not: null } },
    orderBy: [{ createdAt: "desc" }, { pk: "desc" }],
    take: count,
  });
  return found.map(fromPrisma);
}

type AttemptKey = Row<"WebhookAttempt", "webhookPk" | "createdAt" | "pk">;

/** A ping that is under way, and where it goes. */
type Started = Target & AttemptKey & Row<"WebhookAttempt", "eventId">;

/** Stores the attempt of a ping, before it is made. Undefined: there is no such webhook. */
export async function startPing(
  writer: Writer,
  { masterId }: KeyMaker,
  webhookId: string,
  now: number,
): Promise<Started | undefined> {
  const [started] = await writer.writeAll((tx) => tx.query(start, [masterId, webhookId, now]));
  return started;
}

/** Stores how an attempt ended, unless it was removed for its age meanwhile. */
export async function finishAttempt(
  db: Database,
  key: AttemptKey,
  { status, durationMs, error }: AttemptOutcome,
): Promise<void> {
  const data = { status, durationMs, error };
  await db.prisma.webhookAttempt.updateMany({ where: whereKey(key), data });
}

/** Undefined: the attempt is under way, or was removed. */
export async function findOutcome(db: Database, key: AttemptKey): Promise<AttemptOutcome | undefined> {
  const found = await db.prisma.webhookAttempt.findFirst({
    select: { status: true, durationMs: true, error: true },
    where: whereKey(key),
  });
  if (found === null || found.durationMs === null) return undefined;
  return { ...found, durationMs: found.durationMs };
}

const whereKey = ({ webhookPk, createdAt, pk }: AttemptKey) => ({ webhookPk, createdAt, pk });

export const sweepAttempts = defineSweep(
  "webhooks.sweep-attempts",
  "webhook_attempts",
  "webhook_pk, created_at, pk",
);

const start: Statement<Started> = {
  name: "webhooks.start-ping",
  text: `WITH webhook AS (
      SELECT pk AS webhook_pk, ${targetColumns} FROM webhooks
      WHERE master_id = $1::bytea AND webhook_id = $2
    ), started AS (
      INSERT INTO webhook_attempts (webhook_pk, created_at, event_id, attempt)
      SELECT webhook_pk, $3::bigint, 'ping_' || replace(gen_random_uuid()::text, '-', ''), 1 FROM webhook
      RETURNING pk, event_id, created_at
    )
    SELECT webhook_pk AS "webhookPk", created_at AS "createdAt", pk, event_id AS "eventId", url, sealed,
      "previousSealed", "previousSecretUntil"
    FROM webhook, started`,
};
