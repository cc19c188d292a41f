import type { Db, Statement, Tx } from "../../db/db";
import type { Row } from "../../db/row";
import { emit } from "../emit";
import { lockChannel } from "./lock-store";

export type HasPk = Row<"User" | "Channel", "pk">;

/**
 * Ends the memberships and manager roles of the users in the channels. An earlier statement of the transaction must
 * have locked the channels, so that this one sees their current rows.
 */
export async function endRoles(tx: Tx, channels: readonly HasPk[], users: readonly HasPk[]): Promise<void> {
  await tx.query(end, [pksOf(channels), pksOf(users)]);
}

/** Ends the roles of deleted users in one channel, without waiting for the sweeper. */
export function endRolesOfDeletedUsers(db: Db, channelId: string): Promise<void> {
  return db.transaction(async (tx) => {
    const channels = await tx.query(lockChannel, [channelId]);
    await endRoles(tx, channels, await tx.query(listDeletedUsers, [pksOf(channels)]));
  });
}

export const pksOf = (rows: readonly HasPk[]) => rows.map(({ pk }) => pk);

const deletedUsersIn = (table: string) => `SELECT u.pk FROM ${table} JOIN users u ON u.pk = user_pk
  WHERE channel_pk = ANY ($1::bigint[]) AND u.deleted_at IS NOT NULL`;

const listDeletedUsers: Statement<HasPk> = {
  name: "channels.list-deleted-users",
  text: `${deletedUsersIn("members")} UNION ${deletedUsersIn("managers")}`,
};

const deleteFrom = (table: string) => `DELETE FROM ${table}
  WHERE channel_pk = ANY ($1::bigint[]) AND user_pk = ANY ($2::bigint[]) RETURNING channel_pk, user_pk`;

// After `channel.deleted` there are no events of a channel.
const emitEnd = (type: "member.left" | "manager.removed", ended: string) =>
  emit(
    type,
    { channelPk: "channel_pk", channelId: "channel_id", userPk: "user_pk", userId: "user_id" },
    `${ended} JOIN channels c ON c.pk = channel_pk AND c.deleted_at IS NULL JOIN users u ON u.pk = user_pk`,
  );

// The new revision makes sends run again that still see a membership in their snapshot: they may mention the user.
// One UPDATE per channel: on a second one in the same transaction, PostgreSQL checks the channel's foreign keys again.
const end: Statement<unknown> = {
  name: "channels.end-roles",
  text: `WITH left_as_member AS (${deleteFrom("members")}),
      left_as_manager AS (${deleteFrom("managers")}),
      emitted_as_member AS (${emitEnd("member.left", "left_as_member")}),
      emitted_as_manager AS (${emitEnd("manager.removed", "left_as_manager")}),
      ended AS (
        SELECT channel_pk, sum(member) AS member, sum(manager) AS manager FROM (
          SELECT channel_pk, 1 AS member, 0 AS manager FROM left_as_member
          UNION ALL SELECT channel_pk, 0, 1 FROM left_as_manager) AS each_one
        GROUP BY channel_pk)
    UPDATE channels SET member_count = member_count - ended.member, manager_count = manager_count - ended.manager,
      moderation_revision = moderation_revision + 1
    FROM ended WHERE pk = ended.channel_pk RETURNING pk`,
};
