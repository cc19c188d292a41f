import type { Queryable, Reader, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import type { Position } from "../../paging/position";
import { type MessageRow, selectMessages } from "../messages/store";
import { keptSince } from "../retention/conditions";
import { type UserRow, userColumns } from "../users/store";

/** A user that has or had an id. */
export interface PersonRow extends UserRow, Row<"User", "pk" | "deletedAt" | "suspensionReason"> {}

export interface PersonalMembership
  extends Row<"Member", "channelPk" | "joinedAt" | "readCreatedAt" | "readPk"> {
  readonly channelId: string;
  readonly role: "participant" | "manager";
}

export type PersonalMessage = MessageRow & { readonly channelId: string };

/** The users that ever had the id, oldest first. An erased one no longer has it in its row. */
export const listPersons = (db: Queryable, userId: string): Promise<PersonRow[]> =>
  db.query(findPersons, [userId]);

/** After this membership, in the order of the list. */
export type MembershipPosition = Pick<PersonalMembership, "joinedAt" | "channelPk" | "role">;

/** Memberships and manager roles of a user in channels that exist, oldest first. */
export async function listMemberships(
  db: Reader,
  userPk: number,
  after: MembershipPosition | undefined,
  count: number,
): Promise<PersonalMembership[]> {
  const { joinedAt = 0, channelPk = 0, role = "" } = after ?? {};
  const values = [userPk, joinedAt, channelPk, role, count];
  const found = (await Promise.all(db.shards().map((shard) => shard.query(memberships, values)))).flat();
  return found.sort(byJoining).slice(0, count);
}

/** Messages of a user in channels that exist, oldest first. */
export async function listPersonalMessages(
  db: Reader,
  userPk: number,
  after: Position,
  count: number,
): Promise<PersonalMessage[]> {
  const values = [userPk, after.createdAt, after.pk, count];
  const found = (await Promise.all(db.shards().map((shard) => shard.query(messages, values)))).flat();
  return found
    .sort((one, other) => one.sentAt - other.sentAt || one.messagePk - other.messagePk)
    .slice(0, count);
}

const byJoining = (one: PersonalMembership, other: PersonalMembership) =>
  one.joinedAt - other.joinedAt ||
  one.channelPk - other.channelPk ||
  (one.role < other.role ? -1 : Number(one.role > other.role));

const findPersons: Statement<PersonRow> = {
  name: "privacy.find-persons",
  text: `SELECT pk, deleted_at AS "deletedAt", suspension_reason AS "suspensionReason", ${userColumns} FROM users
    WHERE pk IN (
      SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL
      UNION SELECT u.pk FROM users u WHERE u.user_id = $1 AND u.deleted_at IS NOT NULL
        AND NOT EXISTS (SELECT FROM erased_users e WHERE e.user_pk = u.pk)
      UNION SELECT user_pk FROM erased_users WHERE user_id = $1)
    ORDER BY created_at, pk`,
};

const roles = (
  table: string,
  role: string,
  readMark: string,
) => `SELECT channel_pk, channel_id, '${role}' AS role,
    joined_at, ${readMark} FROM {${table}} m JOIN {channels} c ON c.pk = channel_pk AND c.deleted_at IS NULL
  WHERE user_pk = $1`;

const memberships: Statement<PersonalMembership> = {
  name: "privacy.memberships",
  text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", role, joined_at AS "joinedAt",
      read_created_at AS "readCreatedAt", read_pk AS "readPk"
    FROM (
      ${roles("members", "participant", "read_created_at, read_pk")}
      UNION ALL ${roles("managers", "manager", "NULL::bigint, NULL::bigint")}
    ) AS each_role (channel_pk, channel_id, role, joined_at, read_created_at, read_pk)
    WHERE (joined_at, channel_pk, role) > ($2::bigint, $3::bigint, $4::text)
    ORDER BY joined_at, channel_pk, role LIMIT $5`,
};

const messages: Statement<PersonalMessage> = {
  name: "privacy.messages",
  text: `SELECT found.*, c.channel_id AS "channelId" FROM (
      SELECT message.*, placed.channel_pk FROM (
        SELECT sent.channel_pk, sent.created_at, sent.pk FROM {messages} sent
        WHERE sent.sender_pk = $1 AND (sent.created_at, sent.pk) > ($2::bigint, $3::bigint)
          AND EXISTS (SELECT FROM {channels} c WHERE c.pk = sent.channel_pk AND c.deleted_at IS NULL
            AND sent.created_at >= ${keptSince("c")})
        ORDER BY sent.created_at, sent.pk LIMIT $4
      ) AS placed
      CROSS JOIN LATERAL (${selectMessages(
        "{messages} m WHERE m.channel_pk = placed.channel_pk AND m.created_at = placed.created_at AND m.pk = placed.pk",
      )}) AS message
    ) AS found
    JOIN {channels} c ON c.pk = found.channel_pk
    ORDER BY "sentAt", "messagePk"`,
};
