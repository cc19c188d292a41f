import { limits } from "@madang/contract";
import type { Queryable, Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { ServiceError } from "../../errors";
import type { Writer } from "../../idempotency/writer";
import { emit } from "../events/emit";
import { writeOrExplain } from "../write-or-explain";
import { aboutUser, rejectUnknownUser, type UserRow, userColumns, userFields } from "./store";

/**
 * Merges pairs into the user's metadata, all or none. One statement reads, checks and writes the row. After a
 * concurrent merge, PostgreSQL checks the new row again, so no pair is lost and the limit holds.
 */
export async function mergeUserMeta(
  writer: Writer,
  userId: string,
  pairs: Record<string, string>,
  now: number,
): Promise<UserRow> {
  return writeOrExplain(
    async () => (await writer.write(merge, [userId, pairs, now, limits.meta.maxPairs]))[0],
    () => explainRejection(writer, userId, pairs),
  );
}

async function explainRejection(
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

/** Deletes keys of the user's metadata. Absent keys are ignored. */
export async function deleteUserMeta(
  writer: Writer,
  userId: string,
  keys: readonly string[],
  now: number,
): Promise<UserRow> {
  const [left] = await writer.write(remove, [userId, keys, now]);
  return left ?? rejectUnknownUser(userId);
}

const countMerged: Statement<{ pairs: number }> = {
  name: "users.count-merged-meta",
  text: `SELECT meta_pair_count(meta || $2::jsonb) AS pairs FROM users WHERE user_id = $1 AND deleted_at IS NULL`,
};

// The row is locked first: what the change does to it, and whether that is anything, is decided on the locked row.
const changeMeta = (condition: string, meta: string, isChanged: string) => `WITH locked AS (
    SELECT pk AS locked_pk, meta AS old_meta, updated_at AS old_updated_at FROM users
    WHERE user_id = $1 AND deleted_at IS NULL AND ${condition} FOR NO KEY UPDATE
  ), updated AS (
    UPDATE users SET meta = ${meta},
      updated_at = CASE WHEN ${isChanged} THEN GREATEST($3, old_updated_at + 1) ELSE old_updated_at END
    FROM locked WHERE pk = locked_pk RETURNING pk, ${isChanged} AS is_changed, ${userColumns}
  ), emitted AS (${emit("user.updated", aboutUser, "updated WHERE is_changed")})
  SELECT ${nameList("updated", userFields)} FROM updated`;

const merge: Statement<UserRow> = {
  name: "users.merge-meta",
  text: changeMeta(
    "meta_pair_count(meta || $2::jsonb) <= $4",
    "old_meta || $2::jsonb",
    "NOT old_meta @> $2::jsonb",
  ),
};

const remove: Statement<UserRow> = {
  name: "users.delete-meta",
  text: changeMeta("true", "old_meta - $2::text[]", "old_meta ?| $2::text[]"),
};
