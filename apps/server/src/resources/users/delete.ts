import type { Statement } from "../../db/db";
import type { Writer } from "../../idempotency/writer";
import { emit } from "../events/emit";
import { rejectUnknownUser } from "./store";

/**
 * Deletes a user from every list and lookup. The row stays, because messages refer to it. The sweeper ends its
 * memberships and manager roles in small steps.
 */
export async function deleteUser(writer: Writer, userId: string, now: number): Promise<void> {
  const [deleted] = await writer.write(markDeleted, [userId, now]);
  if (deleted === undefined) rejectUnknownUser(userId);
}

// FOR UPDATE conflicts with FOR KEY SHARE: it waits for joins and sends of this user, and the user gets no role
// afterwards.
const markDeleted: Statement<{ pk: number }> = {
  name: "users.mark-deleted",
  text: `WITH locked AS (
      SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL FOR UPDATE
    ), deleted AS (
      UPDATE users SET deleted_at = $2, needs_sweep = true FROM locked WHERE users.pk = locked.pk RETURNING users.pk
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "$1" }, "deleted")})
    SELECT pk FROM deleted`,
};
