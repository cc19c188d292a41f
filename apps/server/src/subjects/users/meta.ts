import { limits } from "@madang/contract";
import type { Queryable, Statement } from "../../db/db";
import { defineWrite } from "../../db/keyed-write";
import { writeOrExplain } from "../../db/write";
import { ServiceError } from "../../errors";
import { rejectUnknownUser, type UserRow, userColumns } from "./store";

/**
 * Merges pairs into the user's metadata, all or nothing. One statement reads, checks and writes the row, which
 * PostgreSQL checks again when another merge came first: no pair is lost, and no eleventh is stored.
 */
export async function mergeUserMeta(
  db: Queryable,
  userId: string,
  pairs: Record<string, string>,
  now: number,
): Promise<UserRow> {
  return writeOrExplain(
    async () => (await db.write(merge, [userId, pairs, now, limits.meta.maxPairs]))[0],
    () => explainUnmerged(db, userId, pairs),
  );
}

async function explainUnmerged(
  db: Queryable,
  userId: string,
  pairs: Record<string, string>,
): Promise<undefined> {
  const [merged] = await db.query(countMerged, [userId, pairs]);
  if (merged === undefined) rejectUnknownUser(userId);
  if (merged.pairs > limits.meta.maxPairs)
    throw new ServiceError(
      "meta_limit_exceeded",
      `The user ${userId} would have more than ${limits.meta.maxPairs} metadata pairs. Delete some keys first.`,
    );
}

/** Deletes keys of the user's metadata; one that is absent is ignored. */
export async function deleteUserMeta(
  db: Queryable,
  userId: string,
  keys: readonly string[],
  now: number,
): Promise<UserRow> {
  const [left] = await db.write(remove, [userId, keys, now]);
  return left ?? rejectUnknownUser(userId);
}

const merge = defineWrite<UserRow>("users.merge-meta", (guard) => ({
  result: `UPDATE users SET meta = meta || $2::jsonb,
      updated_at = CASE WHEN meta @> $2::jsonb THEN updated_at ELSE GREATEST($3, updated_at + 1) END
    WHERE user_id = $1 AND deleted_at IS NULL AND meta_pair_count(meta || $2::jsonb) <= $4 AND ${guard}
    RETURNING ${userColumns}`,
}));

const countMerged: Statement<{ pairs: number }> = {
  name: "users.count-merged-meta",
  text: `SELECT meta_pair_count(meta || $2::jsonb) AS pairs FROM users WHERE user_id = $1 AND deleted_at IS NULL`,
};

const remove = defineWrite<UserRow>("users.delete-meta", (guard) => ({
  result: `UPDATE users SET meta = meta - $2::text[],
      updated_at = CASE WHEN meta ?| $2::text[] THEN GREATEST($3, updated_at + 1) ELSE updated_at END
    WHERE user_id = $1 AND deleted_at IS NULL AND ${guard} RETURNING ${userColumns}`,
}));
