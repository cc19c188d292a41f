import { emit } from "../../chat/emit";
import { isInForce } from "../../chat/restrictions/conditions";
import {
  aboutUser,
  lockUser,
  requireUserPk,
  type UserRow,
  userColumns,
  userFields,
} from "../../chat/users/store";
import type { Reader, Statement } from "../../db/db";
import { nameList } from "../../db/row";
import { writeLocked } from "../../write/write-locked";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { rejectPastTime } from "./store";

/** Suspends a user until a time, or without end if it is 0. Waits for the sends and joins of the user. */
export function suspendUser(
  writer: Writer,
  userId: string,
  { until, reason }: { until: number; reason: string | undefined },
  now: number,
): Promise<UserRow> {
  return writeOrExplain(
    () => writeLocked(writer, [lockUser, [userId]], [suspend, [userId, until, reason ?? null, now]]),
    async () => {
      await rejectPastTime(writer.reader, until);
      return requireUser(writer.reader, userId);
    },
  );
}

export function unsuspendUser(writer: Writer, userId: string, now: number): Promise<UserRow> {
  return writeOrExplain(
    () => writeLocked(writer, [lockUser, [userId]], [unsuspend, [userId, now]]),
    () => requireUser(writer.reader, userId),
  );
}

async function requireUser(db: Reader, userId: string): Promise<undefined> {
  await requireUserPk(db, userId);
}

const before = (isChanged: string) => `before AS (
      SELECT pk AS old_pk, ${isChanged} AS is_changed FROM users WHERE user_id = $1 AND deleted_at IS NULL
    )`;

const updatedAt = (now: string) =>
  `updated_at = CASE WHEN is_changed THEN GREATEST(${now}::bigint, updated_at + 1) ELSE updated_at END`;

const emitted = `emitted AS (${emit("user.updated", aboutUser, "updated WHERE is_changed")})
    SELECT ${nameList("updated", userFields)} FROM updated`;

const suspend: Statement<UserRow> = {
  name: "users.suspend",
  text: `WITH ${before("(suspended_until, suspension_reason) IS DISTINCT FROM ($2::bigint, $3::text)")}, updated AS (
      UPDATE users SET suspended_until = $2::bigint, suspension_reason = $3::text, ${updatedAt("$4")}
      FROM before WHERE pk = old_pk AND ${isInForce("$2::bigint")} RETURNING pk, is_changed, ${userColumns}
    ), ${emitted}`,
};

// A suspension that has expired stays: nothing changes.
const unsuspend: Statement<UserRow> = {
  name: "users.unsuspend",
  text: `WITH ${before(isInForce("suspended_until"))}, updated AS (
      UPDATE users SET suspended_until = CASE WHEN NOT is_changed THEN suspended_until END,
        suspension_reason = CASE WHEN NOT is_changed THEN suspension_reason END, ${updatedAt("$2")}
      FROM before WHERE pk = old_pk RETURNING pk, is_changed, ${userColumns}
    ), ${emitted}`,
};
