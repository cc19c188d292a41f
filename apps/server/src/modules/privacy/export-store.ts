import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import { type UserRow, userColumns } from "../../chat/users/store";
import type { Queryable, Reader, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import { isFile } from "../files/store";
import { type ReportRow, reportColumns } from "../reports/columns";

/** A user that has or had an id. */
export interface PersonRow extends UserRow, Row<"User", "pk" | "deletedAt" | "suspensionReason"> {}

/** The users that had the id and whose erasure has not begun, oldest first. */
export const listPersons = (db: Queryable, userId: string): Promise<PersonRow[]> =>
  db.query(findPersons, [userId]);

/** The position of a row in its list. */
export type PersonalPosition = readonly (number | string)[];

/** What is stored about a user in one way, in the order of a position. */
export interface PersonalList<Entry> {
  readonly start: PersonalPosition;
  positionOf(entry: Entry): PersonalPosition;
  read(db: Reader, userPk: number, after: PersonalPosition, count: number): Promise<Entry[]>;
}

type InChannel<Entry> = Entry & { readonly channelId: string };
export type PersonalMembership = InChannel<
  Row<"Member", "channelPk" | "joinedAt" | "readCreatedAt" | "readPk"> & {
    readonly role: "participant" | "manager";
  }
>;
export type PersonalMessage = InChannel<MessageRow>;
export type PersonalReaction = InChannel<
  Row<"Reaction", "messageCreatedAt" | "messagePk" | "reaction" | "createdAt" | "position">
>;
export type PersonalMention = InChannel<Row<"Mention", "channelPk" | "messageCreatedAt" | "messagePk">>;
export type PersonalMute = InChannel<Row<"Mute", "channelPk" | "until">>;
export type PersonalBan = InChannel<Row<"Ban", "channelPk" | "until" | "reason" | "createdAt">>;
export type PersonalFile = InChannel<
  Row<"File", "pk" | "fileId" | "name" | "type" | "size" | "status" | "createdAt">
>;
export type PersonalReport = ReportRow & Row<"Report", "pk">;

/** The rows of all schemas, in the order of their positions. */
function onSchemas<Entry>(
  statement: Statement<Entry>,
  start: PersonalPosition,
  positionOf: (entry: Entry) => PersonalPosition,
): PersonalList<Entry> {
  return {
    start,
    positionOf,
    async read(db, userPk, after, count) {
      const values = [userPk, ...after, count];
      const found = await Promise.all(db.schemas().map((schema) => schema.query(statement, values)));
      return found
        .flat()
        .sort((one, other) => comparePositions(positionOf(one), positionOf(other)))
        .slice(0, count);
    },
  };
}

function comparePositions(one: PersonalPosition, other: PersonalPosition): number {
  const index = one.findIndex((value, at) => value !== other[at]);
  const [first, second] = [one[index] ?? 0, other[index] ?? 0];
  return index < 0 ? 0 : first < second ? -1 : 1;
}

const findPersons: Statement<PersonRow> = {
  name: "privacy.find-persons",
  text: `SELECT pk, deleted_at AS "deletedAt", suspension_reason AS "suspensionReason", ${userColumns} FROM users
    WHERE user_id = $1 AND (deleted_at IS NULL OR (deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM erased_users e WHERE e.user_pk = users.pk)))
    ORDER BY created_at, pk`,
};

const liveChannel = (row: string) => `channels c ON c.pk = ${row}.channel_pk AND c.deleted_at IS NULL`;

const roles = (
  table: string,
  role: string,
  readMark: string,
) => `SELECT channel_pk, channel_id, '${role}' AS role, joined_at, ${readMark}
  FROM ${table} m JOIN ${liveChannel("m")} WHERE user_pk = $1`;

/** Memberships and manager roles. */
export const memberships = onSchemas<PersonalMembership>(
  {
    name: "privacy.memberships",
    text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", role, joined_at AS "joinedAt",
      read_created_at AS "readCreatedAt", read_pk AS "readPk"
    FROM (
      ${roles("members", "participant", "read_created_at, read_pk")}
      UNION ALL ${roles("managers", "manager", "NULL::bigint, NULL::bigint")}
    ) AS each_role (channel_pk, channel_id, role, joined_at, read_created_at, read_pk)
    WHERE (joined_at, channel_pk, role) > ($2::bigint, $3::bigint, $4::text)
    ORDER BY joined_at, channel_pk, role LIMIT $5`,
  },
  [0, 0, ""],
  ({ joinedAt, channelPk, role }) => [joinedAt, channelPk, role],
);

export const messages = onSchemas<PersonalMessage>(
  {
    name: "privacy.messages",
    text: `SELECT found.*, c.channel_id AS "channelId" FROM (
      SELECT message.*, placed.channel_pk FROM (
        SELECT channel_pk, created_at, pk FROM ${readPage(
          `SELECT sent.* FROM messages sent
        WHERE sent.sender_pk = $1 AND (sent.created_at, sent.pk) > ($2::bigint, $3::bigint)
          AND EXISTS (SELECT FROM channels c WHERE c.pk = sent.channel_pk AND c.deleted_at IS NULL)
        ORDER BY sent.created_at, sent.pk LIMIT $4`,
          "created_at, pk",
          messageSize,
        )} AS of_page
      ) AS placed
      CROSS JOIN LATERAL (${selectMessages(
        "messages m WHERE m.channel_pk = placed.channel_pk AND m.created_at = placed.created_at AND m.pk = placed.pk",
      )}) AS message
    ) AS found
    JOIN channels c ON c.pk = found.channel_pk
    ORDER BY "sentAt", "messagePk"`,
  },
  [0, 0],
  ({ sentAt, messagePk }) => [sentAt, messagePk],
);

export const reactions = onSchemas<PersonalReaction>(
  {
    name: "privacy.reactions",
    text: `SELECT channel_id AS "channelId", message_created_at AS "messageCreatedAt", message_pk AS "messagePk", reaction,
      r.created_at AS "createdAt", position
    FROM reactions r JOIN ${liveChannel("r")}
    WHERE user_pk = $1 AND (r.created_at, position) > ($2::bigint, $3::bigint) ORDER BY r.created_at, position LIMIT $4`,
  },
  [0, 0],
  ({ createdAt, position }) => [createdAt, position],
);

export const mentions = onSchemas<PersonalMention>(
  {
    name: "privacy.mentions",
    text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", message_created_at AS "messageCreatedAt",
      message_pk AS "messagePk"
    FROM mentions mention JOIN ${liveChannel("mention")}
    WHERE user_pk = $1 AND (channel_pk, message_created_at, message_pk) > ($2::bigint, $3::bigint, $4::bigint)
    ORDER BY channel_pk, message_created_at, message_pk LIMIT $5`,
  },
  [0, 0, 0],
  ({ channelPk, messageCreatedAt, messagePk }) => [channelPk, messageCreatedAt, messagePk],
);

export const mutes = onSchemas<PersonalMute>(
  {
    name: "privacy.mutes",
    text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", until FROM mutes r JOIN ${liveChannel("r")}
    WHERE user_pk = $1 AND channel_pk > $2 ORDER BY channel_pk LIMIT $3`,
  },
  [0],
  ({ channelPk }) => [channelPk],
);

export const bans = onSchemas<PersonalBan>(
  {
    name: "privacy.bans",
    text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", until, reason, r.created_at AS "createdAt"
    FROM bans r JOIN ${liveChannel("r")} WHERE user_pk = $1 AND channel_pk > $2 ORDER BY channel_pk LIMIT $3`,
  },
  [0],
  ({ channelPk }) => [channelPk],
);

export const files = onSchemas<PersonalFile>(
  {
    name: "privacy.files",
    text: `SELECT f.pk, channel_id AS "channelId", file_id AS "fileId", f.name, type, size, status, f.created_at AS "createdAt"
    FROM files f JOIN ${liveChannel("f")}
    WHERE user_pk = $1 AND ${isFile} AND (f.created_at, f.pk) > ($2::bigint, $3::bigint) ORDER BY f.created_at, f.pk LIMIT $4`,
  },
  [0, 0],
  ({ createdAt, pk }) => [createdAt, pk],
);

const findReports: Statement<PersonalReport> = {
  name: "privacy.reports",
  text: `SELECT pk, ${reportColumns} FROM reports
    WHERE pk IN (SELECT pk FROM reports WHERE reported_pk = $1 UNION SELECT pk FROM reports WHERE reporter_pk = $1)
      AND pk > $2 ORDER BY pk LIMIT $3`,
};

/** Reports about the user and by the user. */
export const reports: PersonalList<PersonalReport> = {
  start: [0],
  positionOf: ({ pk }) => [pk],
  read: (db, userPk, after, count) => db.query(findReports, [userPk, ...after, count]),
};
