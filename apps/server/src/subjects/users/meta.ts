import { limits } from "@madang/contract";
import type { Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import { requireUser, type UserRow, userColumns } from "./store";

/**
 * Merges pairs into the user's metadata, all or nothing. One statement reads, checks and writes the row, which
 * PostgreSQL judges anew when another merge came first: no pair is lost and no eleventh gets in.
 */
export async function mergeUserMeta(
  db: Queryable,
  userId: string,
  pairs: Record<string, string>,
  now: number,
): Promise<UserRow> {
  const [merged] = await db.query(merge, [userId, pairs, now, limits.meta.maxPairs]);
  if (merged !== undefined) return merged;
  await requireUser(db, userId);
  throw new ServiceError(
    "meta_limit_exceeded",
    `The user ${userId} would have more than ${limits.meta.maxPairs} metadata pairs. Delete some keys first.`,
  );
}

/** Deletes keys of the user's metadata; one that is not there is passed over. */
export async function deleteUserMeta(
  db: Queryable,
  userId: string,
  keys: readonly string[],
  now: number,
): Promise<UserRow> {
  const [left] = await db.query(remove, [userId, keys, now]);
  return left ?? requireUser(db, userId);
}

const merge: Statement<UserRow> = {
  name: "users.merge-meta",
  text: `UPDATE users SET meta = meta || $2::jsonb,
      updated_at = CASE WHEN meta @> $2::jsonb THEN updated_at ELSE GREATEST($3, updated_at + 1) END
    WHERE user_id = $1 AND deleted_at IS NULL AND meta_pair_count(meta || $2::jsonb) <= $4
    RETURNING ${userColumns}`,
};

const remove: Statement<UserRow> = {
  name: "users.delete-meta",
  text: `UPDATE users SET meta = meta - $2::text[],
      updated_at = CASE WHEN meta ?| $2::text[] THEN GREATEST($3, updated_at + 1) ELSE updated_at END
    WHERE user_id = $1 AND deleted_at IS NULL RETURNING ${userColumns}`,
};
