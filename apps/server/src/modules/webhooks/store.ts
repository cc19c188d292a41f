import { limits } from "@madang/contract";
import { type Database, databaseNow, defineLock, type Statement } from "../../db/db";
import { type Field, fromPrisma, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { KeyMaker } from "../../security/secret";
import type { Writer } from "../../write/writer";

const selection = {
  webhookId: true,
  url: true,
  types: true,
  description: true,
  isEnabled: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies { readonly [Name in Field<"Webhook">]?: true };

export type WebhookRow = Row<"Webhook", keyof typeof selection>;

/** A webhook with its sealed secret, as text: the rows of a write with an idempotency key are stored as JSON. */
export type SealedWebhook = WebhookRow & { readonly sealed: string };

interface NewWebhook {
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | undefined;
}

type WebhookChange = { readonly [Name in keyof NewWebhook]?: NewWebhook[Name] | undefined } & {
  readonly enabled?: boolean | undefined;
};

/** Creates a webhook. A lock serializes creations on all processes, so that the limit is exact. */
export async function createWebhook(
  writer: Writer,
  keyMaker: KeyMaker,
  { url, types, description }: NewWebhook,
  now: number,
): Promise<SealedWebhook> {
  const sealed = keyMaker.seal(keyMaker.makeWebhookSecret());
  const [created] = await writer.writeAll(async (tx) => {
    await tx.query(lock);
    const values = [keyMaker.masterId, url, types, description ?? "", sealed, now, limits.webhooks];
    return tx.query(insert, values);
  }, ofWebhook);
  if (created !== undefined) return created;
  throw new ServiceError(
    "webhook_limit_exceeded",
    `There are already ${limits.webhooks} webhooks, the maximum. Delete one first.`,
  );
}

/** For the audit entry: the request does not name the new webhook. */
const ofWebhook = { subject: "webhookId" };

export async function listWebhooks(db: Database, { masterId }: KeyMaker): Promise<WebhookRow[]> {
  const rows = await db.prisma.webhook.findMany({
    select: selection,
    where: { masterId },
    orderBy: [{ createdAt: "asc" }, { pk: "asc" }],
  });
  return rows.map(fromPrisma);
}

export async function requireWebhook(
  db: Database,
  { masterId }: KeyMaker,
  webhookId: string,
): Promise<WebhookRow & Row<"Webhook", "pk">> {
  const found = await db.prisma.webhook.findUnique({
    select: { pk: true, ...selection },
    where: { webhookId, masterId },
  });
  return found === null ? rejectUnknownWebhook(webhookId) : fromPrisma(found);
}

/** Absent fields keep their values. An empty description or list of types clears the field. */
export async function updateWebhook(
  writer: Writer,
  { masterId }: KeyMaker,
  webhookId: string,
  { url, types, description, enabled }: WebhookChange,
  now: number,
): Promise<WebhookRow> {
  const values = [masterId, webhookId, url ?? null, types ?? null, description ?? null, enabled ?? null, now];
  const [updated] = await writer.writeAll((tx) => tx.query(update, values));
  return updated ?? rejectUnknownWebhook(webhookId);
}

export async function deleteWebhook(
  writer: Writer,
  { masterId }: KeyMaker,
  webhookId: string,
): Promise<void> {
  const [deleted] = await writer.writeAll((tx) => tx.query(remove, [masterId, webhookId]));
  if (deleted === undefined) rejectUnknownWebhook(webhookId);
}

/** Replaces the secret. The old one also signs until `previousUntil`. */
export async function rotateSecret(
  writer: Writer,
  keyMaker: KeyMaker,
  webhookId: string,
  { now, previousUntil }: { now: number; previousUntil: number },
): Promise<SealedWebhook> {
  const sealed = keyMaker.seal(keyMaker.makeWebhookSecret());
  const [rotated] = await writer.writeAll((tx) =>
    tx.query(rotate, [keyMaker.masterId, webhookId, sealed, previousUntil, now]),
  );
  return rotated ?? rejectUnknownWebhook(webhookId);
}

/** Moves a webhook back to a position of the feed, if it is before the current one. */
export async function replayAfter(
  writer: Writer,
  { masterId }: KeyMaker,
  webhookId: string,
  position: number,
): Promise<void> {
  const [replayed] = await writer.writeAll((tx) => tx.query(replay, [masterId, webhookId, position]));
  if (replayed === undefined) rejectUnknownWebhook(webhookId);
}

export function rejectUnknownWebhook(webhookId: string): never {
  throw new ServiceError("webhook_not_found", `There is no webhook ${webhookId}.`);
}

const columns = selectList(Object.keys(selection));
const sealedColumns = `${columns}, encode(secret, 'base64') AS sealed`;

const lock = defineLock("webhooks.lock", "'madang webhooks'");

const insert: Statement<SealedWebhook> = {
  name: "webhooks.insert",
  text: `WITH created AS (
      INSERT INTO webhooks (webhook_id, master_id, url, types, description, secret, created_at, updated_at)
      SELECT 'wh_' || replace(gen_random_uuid()::text, '-', ''), $1::bytea, $2::text, $3::text[], nullif($4::text, ''),
        $5::bytea, $6::bigint, $6::bigint
      WHERE (SELECT count(*) FROM webhooks WHERE master_id = $1::bytea) < $7
      RETURNING *
    ), consumer AS (
      INSERT INTO consumers (name, position) SELECT webhook_id, (
        SELECT last_position FROM event_ranges ORDER BY after_position DESC LIMIT 1) FROM created
    )
    SELECT ${sealedColumns} FROM created`,
};

// After a new URL, or when a disabled webhook is enabled, waiting deliveries are due at once, and those that run stay claimed: if a
// repeated attempt fails, it is due at once too.
const update: Statement<WebhookRow> = {
  name: "webhooks.update",
  text: `WITH updated AS (
      UPDATE webhooks SET url = coalesce($3::text, url), types = coalesce($4::text[], types),
        description = CASE WHEN $5::text IS NULL THEN description ELSE nullif($5::text, '') END,
        is_enabled = coalesce($6::boolean, is_enabled), updated_at = GREATEST($7::bigint, updated_at + 1),
        failing_since = CASE WHEN $3::text IS NULL AND $6::boolean IS NULL THEN failing_since END
      WHERE master_id = $1::bytea AND webhook_id = $2 RETURNING *
    ), due AS (
      UPDATE webhook_queues SET attempt = 0, due_at = CASE WHEN is_claimed THEN due_at ELSE ${databaseNow} END FROM updated
      WHERE webhook_pk = updated.pk AND ($3::text IS NOT NULL OR $6::boolean)
    )
    SELECT ${columns} FROM updated`,
};

const remove: Statement<{ pk: number }> = {
  name: "webhooks.delete",
  text: `DELETE FROM webhooks WHERE master_id = $1::bytea AND webhook_id = $2 RETURNING pk`,
};

const rotate: Statement<SealedWebhook> = {
  name: "webhooks.rotate",
  text: `UPDATE webhooks SET previous_secret = secret, previous_secret_until = $4::bigint, secret = $3::bytea,
        updated_at = GREATEST($5::bigint, updated_at + 1)
      WHERE master_id = $1::bytea AND webhook_id = $2 RETURNING ${sealedColumns}`,
};

const replay: Statement<{ name: string }> = {
  name: "webhooks.replay",
  text: `UPDATE consumers SET position = LEAST(position, $3::bigint)
      WHERE name = (SELECT webhook_id FROM webhooks WHERE master_id = $1::bytea AND webhook_id = $2)
      RETURNING name`,
};
