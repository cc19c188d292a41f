import { limits } from "@madang/contract";
import { type Database, type Db, defineLock, type Statement } from "../../db/db";
import { type Field, fromPrisma, type Row, selectList } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { KeyMaker } from "../../security/secret";
import type { Writer } from "../../write/writer";
import { type Target, targetColumns } from "../webhooks/delivery/target-store";

const selection = {
  hookId: true,
  url: true,
  operations: true,
  callers: true,
  timeoutMs: true,
  onFailure: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies { readonly [Name in Field<"Hook">]?: true };

export type HookRow = Row<"Hook", keyof typeof selection>;

/** A hook with its sealed secret, as text: the rows of a write with an idempotency key are stored as JSON. */
export type SealedHook = HookRow & { readonly sealed: string };

type NewHook = Pick<HookRow, "url" | "operations" | "callers" | "timeoutMs" | "onFailure">;
type HookChange = { readonly [Name in keyof NewHook]?: NewHook[Name] | undefined };

/** Creates a hook. A lock serializes creations on all processes, so that the limit is exact. */
export async function createHook(
  writer: Writer,
  keyMaker: KeyMaker,
  { url, operations, callers, timeoutMs, onFailure }: NewHook,
  now: number,
): Promise<SealedHook> {
  const sealed = keyMaker.seal(keyMaker.makeWebhookSecret());
  const values = [
    keyMaker.masterId,
    url,
    operations,
    callers,
    timeoutMs,
    onFailure,
    sealed,
    now,
    limits.hooks,
  ];
  const [created] = await writer.writeAll(
    async (tx) => {
      await tx.query(lock);
      return tx.query(insert, values);
    },
    { subject: "hookId" },
  );
  if (created !== undefined) return created;
  throw new ServiceError(
    "hook_limit_exceeded",
    `There are already ${limits.hooks} hooks, the maximum. Delete one first.`,
  );
}

export async function listHooks(db: Database, { masterId }: KeyMaker): Promise<HookRow[]> {
  const rows = await db.prisma.hook.findMany({
    select: selection,
    where: { masterId },
    orderBy: [{ createdAt: "asc" }, { pk: "asc" }],
  });
  return rows.map(fromPrisma);
}

/** A call of a hook, as it is stored and shown. It contains nothing of the message. */
export interface HookCall {
  readonly operation: string;
  readonly outcome: HookOutcome;
  readonly status?: number;
  readonly duration_ms: number;
  readonly error?: string;
  readonly created_at: number;
}

export type HookOutcome = "accept" | "reject" | "replace" | "failure";

/** With its latest calls. */
export async function requireHook(
  db: Database,
  { masterId }: KeyMaker,
  hookId: string,
): Promise<HookRow & Row<"Hook", "pausedUntil"> & { readonly attempts: readonly HookCall[] }> {
  const found = await db.prisma.hook.findUnique({
    select: { attempts: true, pausedUntil: true, ...selection },
    where: { hookId, masterId },
  });
  if (found === null) return rejectUnknownHook(hookId);
  const { attempts, ...hook } = found;
  // Only `recordCalls` writes them.
  return { ...fromPrisma(hook), attempts: attempts as unknown as readonly HookCall[] };
}

/** Absent fields keep their values. */
export async function updateHook(
  writer: Writer,
  { masterId }: KeyMaker,
  hookId: string,
  { url, operations, callers, timeoutMs, onFailure }: HookChange,
  now: number,
): Promise<HookRow> {
  const values = [url ?? null, operations ?? null, callers ?? null, timeoutMs ?? null, onFailure ?? null];
  const [updated] = await writer.writeAll((tx) => tx.query(update, [masterId, hookId, ...values, now]));
  return updated ?? rejectUnknownHook(hookId);
}

export async function deleteHook(writer: Writer, { masterId }: KeyMaker, hookId: string): Promise<void> {
  const [deleted] = await writer.writeAll((tx) => tx.query(remove, [masterId, hookId]));
  if (deleted === undefined) rejectUnknownHook(hookId);
}

/** Replaces the secret. The old one also signs until `previousUntil`. */
export async function rotateSecret(
  writer: Writer,
  keyMaker: KeyMaker,
  hookId: string,
  { now, previousUntil }: { now: number; previousUntil: number },
): Promise<SealedHook> {
  const sealed = keyMaker.seal(keyMaker.makeWebhookSecret());
  const [rotated] = await writer.writeAll((tx) =>
    tx.query(rotate, [keyMaker.masterId, hookId, sealed, previousUntil, now]),
  );
  return rotated ?? rejectUnknownHook(hookId);
}

/** What a process needs to call a hook. Each change moves `updatedAt`. */
export type StoredHook = Row<"Hook", "pk"> & HookRow & Target;

export const listStoredHooks = (db: Db, { masterId }: KeyMaker): Promise<StoredHook[]> =>
  db.query(list, [masterId]);

/** What a process has seen of a hook since it last stored that. */
export interface SeenCalls {
  readonly calls: readonly HookCall[];
  /** Undefined: the hook was not paused in the meantime. */
  readonly pausedUntil: number | undefined;
}

/** Adds calls to the latest ones of a hook. If it was deleted meanwhile, they are left out. */
export async function recordCalls(db: Db, pk: number, { calls, pausedUntil }: SeenCalls): Promise<void> {
  await db.query(record, [pk, JSON.stringify(calls), pausedUntil ?? null]);
}

function rejectUnknownHook(hookId: string): never {
  throw new ServiceError("hook_not_found", `There is no hook ${hookId}.`);
}

const columns = selectList(Object.keys(selection));
const sealedColumns = `${columns}, encode(secret, 'base64') AS sealed`;

const lock = defineLock("hooks.lock", "'madang hooks'");

const insert: Statement<SealedHook> = {
  name: "hooks.insert",
  text: `INSERT INTO hooks (hook_id, master_id, url, operations, callers, timeout_ms, on_failure, secret, created_at, updated_at)
    SELECT 'hook_' || replace(gen_random_uuid()::text, '-', ''), $1::bytea, $2, $3::text[], $4, $5::integer, $6, $7::bytea,
      $8::bigint, $8::bigint
    WHERE (SELECT count(*) FROM hooks WHERE master_id = $1::bytea) < $9 RETURNING ${sealedColumns}`,
};

const update: Statement<HookRow> = {
  name: "hooks.update",
  text: `UPDATE hooks SET url = COALESCE($3, url), operations = COALESCE($4::text[], operations),
      callers = COALESCE($5, callers), timeout_ms = COALESCE($6::integer, timeout_ms),
      on_failure = COALESCE($7, on_failure), paused_until = NULL, updated_at = GREATEST($8::bigint, updated_at + 1)
    WHERE master_id = $1::bytea AND hook_id = $2 RETURNING ${columns}`,
};

const remove: Statement<{ pk: number }> = {
  name: "hooks.delete",
  text: "DELETE FROM hooks WHERE master_id = $1::bytea AND hook_id = $2 RETURNING pk",
};

const rotate: Statement<SealedHook> = {
  name: "hooks.rotate",
  text: `UPDATE hooks SET previous_secret = secret, previous_secret_until = $4::bigint, secret = $3::bytea,
      updated_at = GREATEST($5::bigint, updated_at + 1)
    WHERE master_id = $1::bytea AND hook_id = $2 RETURNING ${sealedColumns}`,
};

const list: Statement<StoredHook> = {
  name: "hooks.list-stored",
  text: `SELECT pk, ${columns}, ${targetColumns} FROM hooks WHERE master_id = $1 ORDER BY created_at, pk`,
};

const record: Statement<unknown> = {
  name: "hooks.record-calls",
  text: `UPDATE hooks SET paused_until = COALESCE($3::bigint, paused_until), attempts = (
      SELECT jsonb_agg(call ORDER BY at DESC, ordinal) FROM (
        SELECT call, ordinal, at, row_number() OVER (PARTITION BY call->>'outcome' ORDER BY at DESC, ordinal) AS number
        FROM jsonb_array_elements($2::jsonb || attempts) WITH ORDINALITY AS each (call, ordinal)
        CROSS JOIN LATERAL (SELECT (call->>'created_at')::bigint AS at) AS time) AS numbered
      WHERE number <= ${limits.hookAttempts})
    WHERE pk = $1`,
};
