import type { Statement } from "../../db/db";
import { writeLocked } from "../../write/write-locked";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import { lockUser, rejectUnknownUser } from "./store";

/**
 * Deletes a user from every list and lookup. The row stays, because messages refer to it. The sweeper ends its
 * memberships and manager roles in small steps.
 */
export async function deleteUser(writer: Writer, userId: string, now: number): Promise<void> {
  const [deleted] = await writeLocked(writer, [lockUser, [userId]], [markDeleted, [userId, now]]);
  if (deleted === undefined) rejectUnknownUser(userId);
}

/** SQL that ends the tokens of deleted users, as a part of the statement that deletes them. */
export const endTokens = (deleted: string): string =>
  `INSERT INTO token_revocations (user_pk) SELECT pk FROM ${deleted}`;

// The lock waits for joins and sends of this user, and the user gets no role afterwards.
const markDeleted: Statement<{ pk: number }> = {
  name: "users.mark-deleted",
  text: `WITH deleted AS (
      UPDATE users SET deleted_at = $2, needs_sweep = true WHERE user_id = $1 AND deleted_at IS NULL RETURNING pk
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "$1" }, "deleted")}), revoked AS (${endTokens("deleted")})
    SELECT pk FROM deleted`,
};
