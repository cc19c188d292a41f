import type { Queryable } from "../../db/db";
import { defineWrite } from "../../db/keyed-write";
import { emit } from "../events/emit";
import { rejectUnknownUser } from "./store";

/**
 * Deletes a user from every list and lookup. The row stays, because messages refer to it. The sweeper ends its
 * memberships and manager roles in small steps.
 */
export async function deleteUser(db: Queryable, userId: string, now: number): Promise<void> {
  const [deleted] = await db.write(markDeleted, [userId, now]);
  if (deleted === undefined) rejectUnknownUser(userId);
}

// FOR UPDATE conflicts with FOR KEY SHARE: it waits for joins and sends of this user, and the user gets no role
// afterwards.
const markDeleted = defineWrite<{ pk: number }>("users.mark-deleted", (guard) => ({
  ctes: `locked AS (
      SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL AND ${guard} FOR UPDATE
    ), deleted AS (
      UPDATE users SET deleted_at = $2, needs_sweep = true FROM locked WHERE users.pk = locked.pk RETURNING users.pk
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "$1" }, "deleted")})`,
  result: "SELECT pk FROM deleted",
}));
