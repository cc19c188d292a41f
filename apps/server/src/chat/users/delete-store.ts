import { defineCommand } from "../../write/command";
import type { Writer } from "../../write/writer";
import { emit } from "../emit";
import { lockUsersFully, rejectUnknownUser } from "./store";

/**
 * Deletes a user from every list and lookup. The row stays, because messages refer to it. The sweeper ends its
 * memberships and manager roles in small steps.
 */
export async function deleteUser(writer: Writer, userId: string, now: number): Promise<void> {
  const [deleted] = await writer.write(markDeleted, { user_id: userId, now });
  if (deleted === undefined) rejectUnknownUser(userId);
}

/** SQL that ends the tokens of deleted users, as a part of the statement that deletes them. */
export const endTokens = (deleted: string): string =>
  `INSERT INTO token_revocations (user_pk) SELECT pk FROM ${deleted}`;

// The lock waits for joins and sends of this user, and the user gets no role afterwards.
const markDeleted = defineCommand<{ pk: number }, "user_id" | "now">(
  "users.mark-deleted",
  { user_id: "text", now: "bigint" },
  `deleted AS (
      UPDATE users u SET deleted_at = now, needs_sweep = true FROM sent
      WHERE u.user_id = sent.user_id AND u.deleted_at IS NULL RETURNING ordinal, pk, u.user_id
    ), emitted AS (${emit("user.deleted", { userPk: "pk", userId: "user_id" }, "deleted")}),
    revoked AS (${endTokens("deleted")}), effect AS (SELECT ordinal, pk FROM deleted)`,
  { lock: { statement: lockUsersFully, columns: ["user_id"] }, sharing: { group: ["user_id"] } },
);
