import { limits } from "@madang/contract";
import type { Statement, Tx } from "../../db/db";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import { changedUpdatedAt, mergedMeta, pairCount } from "../resources/store";

interface UserToUpsert {
  readonly userId: string;
  readonly name: string;
  /** Undefined keeps the current one; an empty string means none. */
  readonly profileUrl: string | undefined;
  /** Pairs to merge. */
  readonly meta: Record<string, string>;
}

/** What happened to a user: a result, or the code of a rejection. */
export interface UpsertRow {
  readonly userId: string;
  readonly result: "created" | "updated" | "unchanged" | null;
  readonly code: "meta_limit_exceeded" | null;
}

/**
 * Creates users that do not exist, and updates those with differences, in one transaction. Returns a row for each, in their
 * order. No id may occur twice.
 */
export function upsertUsers(
  writer: Writer,
  users: readonly UserToUpsert[],
  now: number,
): Promise<readonly UpsertRow[]> {
  return writeOrExplain(
    async () => {
      const rows = await writer.writeAll((tx) => upsertAll(tx, users, now)).catch(returnNoneIfCreated);
      return rows.length === 0 ? [] : [rows];
    },
    async () => undefined,
  );
}

async function upsertAll(tx: Tx, users: readonly UserToUpsert[], now: number): Promise<UpsertRow[]> {
  const ids = users.map(({ userId }) => userId);
  const locked = await tx.query(lock, [ids]);
  const rows = await tx.query(upsert, [
    ids,
    users.map(({ name }) => name),
    users.map(({ profileUrl }) => profileUrl ?? null),
    users.map(({ meta }) => JSON.stringify(meta)),
    now,
    locked.map(({ pk }) => pk),
  ]);
  if (rows.length < users.length) throw new CreatedMeanwhile();
  return rows;
}

/** Rolls back: another request has created one of the users since the lock. */
class CreatedMeanwhile extends Error {}

function returnNoneIfCreated(error: unknown): never[] {
  if (error instanceof CreatedMeanwhile) return [];
  throw error;
}

const lock: Statement<{ pk: number }> = {
  name: "users.lock-to-upsert",
  text: `SELECT pk FROM users WHERE user_id = ANY ($1::text[]) AND deleted_at IS NULL ORDER BY pk FOR NO KEY UPDATE`,
};

const about = { userPk: "pk", userId: "user_id" };

// Users are created in the order of their ids, so that two requests that create the same ones do not wait for each other. One that another
// request has created since the lock has no row: without its lock, that request may still be changing it.
const upsert: Statement<UpsertRow> = {
  name: "users.upsert",
  text: `WITH sent AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::jsonb[])
        WITH ORDINALITY AS sent (id, new_name, new_profile_url, given, ordinal)
    ), known AS (
      SELECT ordinal, pk AS known_pk, id, new_name, given, next_url, ${pairCount} <= ${limits.meta.maxPairs} AS fits,
        name <> new_name OR profile_url IS DISTINCT FROM next_url OR NOT meta @> given AS differs
      FROM sent JOIN users ON user_id = id AND pk = ANY ($6::bigint[]), LATERAL (
        SELECT CASE WHEN new_profile_url IS NULL THEN profile_url ELSE NULLIF(new_profile_url, '') END AS next_url
      ) AS urls
    ), updated AS (
      UPDATE users SET name = new_name, profile_url = next_url, meta = ${mergedMeta}, ${changedUpdatedAt("$5::bigint")}
      FROM known WHERE pk = known_pk AND differs AND fits RETURNING pk, user_id
    ), created AS (
      INSERT INTO users (user_id, name, profile_url, meta, created_at, updated_at)
      SELECT id, new_name, NULLIF(new_profile_url, ''), given, $5::bigint, $5::bigint FROM sent
      WHERE ordinal NOT IN (SELECT ordinal FROM known) ORDER BY id
      ON CONFLICT (user_id) WHERE deleted_at IS NULL DO NOTHING
      RETURNING pk, user_id
    ), announced AS (${emit("user.updated", about, "updated ORDER BY pk")}),
    introduced AS (${emit("user.created", about, "created ORDER BY pk")})
    SELECT id AS "userId", CASE WHEN NOT fits THEN NULL WHEN differs THEN 'updated' ELSE 'unchanged' END AS result,
      CASE WHEN NOT fits THEN 'meta_limit_exceeded' END AS code, ordinal FROM known
    UNION ALL SELECT id, 'created', NULL, ordinal FROM sent JOIN created ON user_id = id
    ORDER BY ordinal`,
};
