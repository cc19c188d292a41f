import type { PushProvider } from "@madang/contract";
import type { UrlOf } from "../../chat/attachments";
import { type PreferencesRow, preferencesOf, presentPreferencesField } from "../../chat/members/preferences";
import { presentMark } from "../../chat/members/present";
import type { ReadMark } from "../../chat/members/store";
import { formatMessageId } from "../../chat/message-id";
import { presentMessageRow } from "../../chat/messages/present";
import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import { type UserRow, userColumns } from "../../chat/users/store";
import { type Db, mergePages, readSchemas, type Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { readPage } from "../../paging/page-bytes";
import { isFile } from "../files/store";
import { presentReport } from "../reports/present";
import { type ReportWithEvidence, reportColumns } from "../reports/store";

/** A user that has or had an id. */
export interface PersonRow extends UserRow, Row<"User", "pk" | "deletedAt" | "suspensionReason"> {
  readonly lastSeenAt: Row<"LastSeenTime">["lastSeenAt"] | null;
}

/** The users that had the id and whose erasure has not begun, oldest first. */
export const listPersons = (db: Db, userId: string): Promise<PersonRow[]> => db.query(findPersons, [userId]);

/** The position of a row in its list. */
export type PersonalPosition = readonly (number | string)[];

/** What is stored about a user in one way, in the order of a position. */
export interface PersonalList<Entry, Presented> {
  readonly start: PersonalPosition;
  positionOf(entry: Entry): PersonalPosition;
  read(db: Db, userPk: number, after: PersonalPosition, count: number): Promise<Entry[]>;
  present(entry: Entry, urlOf: UrlOf): Presented;
}

type InChannel<Entry> = Entry & { readonly channelId: string };
type Membership = InChannel<Row<"Member", "channelPk" | "joinedAt"> & ReadMark & PreferencesRow> & {
  readonly role: "participant" | "manager";
};
type Reaction = InChannel<
  Row<"Reaction", "messageCreatedAt" | "messagePk" | "reaction" | "createdAt" | "position">
>;
type Mention = InChannel<Row<"Mention", "channelPk" | "messageCreatedAt" | "messagePk">>;
type Mute = InChannel<Row<"Mute", "channelPk" | "until">>;
type Ban = InChannel<Row<"Ban", "channelPk" | "until" | "reason" | "createdAt">>;
type File = InChannel<Row<"File", "pk" | "fileId" | "name" | "type" | "size" | "status" | "createdAt">>;
type Device = Row<"Device", "pk" | "deviceId" | "provider" | "createdAt" | "updatedAt">;
type PersonalBlock = Row<"Block", "blockedPk" | "createdAt"> & Row<"User", "userId">;
type Report = ReportWithEvidence & Row<"Report", "pk">;

/** The rows of all schemas, in the order of their positions. The parameter of `positionOf` says what the statement selects. */
function onSchemas<Entry, Presented>(
  statement: Statement<Entry>,
  start: PersonalPosition,
  positionOf: (entry: Entry) => PersonalPosition,
  present: (entry: Entry, urlOf: UrlOf) => Presented,
): PersonalList<Entry, Presented> {
  return {
    start,
    positionOf,
    present,
    async read(db, userPk, after, count) {
      const found = await readSchemas(db, statement, [userPk, ...after, count]);
      return mergePages(found, (one, other) => comparePositions(positionOf(one), positionOf(other)), count);
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
  text: `SELECT pk, deleted_at AS "deletedAt", suspension_reason AS "suspensionReason", ${userColumns},
      (SELECT last_seen_at FROM last_seen_times WHERE user_pk = users.pk) AS "lastSeenAt"
    FROM users
    WHERE user_id = $1 AND (deleted_at IS NULL OR (deleted_at IS NOT NULL
      AND NOT EXISTS (SELECT FROM erased_users e WHERE e.user_pk = users.pk)))
    ORDER BY created_at, pk`,
};

const existingChannel = (row: string) => `channels c ON c.pk = ${row}.channel_pk AND c.deleted_at IS NULL`;

const roles = (
  table: string,
  role: string,
  own: string,
) => `SELECT channel_pk AS "channelPk", channel_id AS "channelId", '${role}' AS role, joined_at AS "joinedAt", ${own}
  FROM ${table} m JOIN ${existingChannel("m")} WHERE user_pk = $1`;

const findReports: Statement<Report> = {
  name: "privacy.reports",
  text: `SELECT pk, ${reportColumns}, CASE WHEN message_sender_pk = $1 THEN evidence END AS evidence FROM reports
    WHERE pk IN (SELECT pk FROM reports WHERE reported_pk = $1 UNION SELECT pk FROM reports WHERE reporter_pk = $1
        UNION SELECT pk FROM reports WHERE message_sender_pk = $1)
      AND pk > $2 ORDER BY pk LIMIT $3`,
};

const findDevices: Statement<Device> = {
  name: "privacy.devices",
  text: `SELECT pk, device_id AS "deviceId", provider, created_at AS "createdAt", updated_at AS "updatedAt"
    FROM devices WHERE user_pk = $1 AND pk > $2 ORDER BY pk LIMIT $3`,
};

/** Never who has blocked the user. */
const findBlocks: Statement<PersonalBlock> = {
  name: "privacy.blocks",
  text: `SELECT blocked_pk AS "blockedPk", u.user_id AS "userId", b.created_at AS "createdAt"
    FROM blocks b JOIN users u ON u.pk = b.blocked_pk AND u.deleted_at IS NULL
    WHERE b.user_pk = $1 AND (b.created_at, b.blocked_pk) > ($2::bigint, $3::bigint)
    ORDER BY b.created_at, b.blocked_pk LIMIT $4`,
};

const presentMention = ({ channelId, messageCreatedAt, messagePk }: Omit<Mention, "channelPk">) => ({
  channel_id: channelId,
  message_id: formatMessageId({ createdAt: messageCreatedAt, pk: messagePk }),
});

const presentMute = ({ channelId, until }: Omit<Mute, "channelPk">) => ({
  channel_id: channelId,
  ...(until !== 0 && { until }),
});

export const lists = {
  /** Memberships and manager roles. */
  memberships: onSchemas(
    {
      name: "privacy.memberships",
      text: `SELECT * FROM (
      ${roles("members", "participant", `read_created_at AS "readAt", read_pk AS "readPk", ${preferencesOf("m")}`)}
      UNION ALL ${roles("managers", "manager", "NULL::bigint, NULL::bigint, NULL::text, NULL::bigint, false, false, NULL::bigint")}
    ) AS each_role
    WHERE ("joinedAt", "channelPk", role) > ($2::bigint, $3::bigint, $4::text)
    ORDER BY "joinedAt", "channelPk", role LIMIT $5`,
    },
    [0, 0, ""],
    ({ joinedAt, channelPk, role }: Membership) => [joinedAt, channelPk, role],
    (membership) => ({
      channel_id: membership.channelId,
      role: membership.role,
      joined_at: membership.joinedAt,
      ...presentMark(membership),
      ...presentPreferencesField(membership),
    }),
  ),

  messages: onSchemas(
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
    ({ sentAt, messagePk }: InChannel<MessageRow>) => [sentAt, messagePk],
    ({ channelId, ...message }, urlOf) => presentMessageRow(channelId, message, { urlOf }),
  ),

  reactions: onSchemas(
    {
      name: "privacy.reactions",
      text: `SELECT channel_id AS "channelId", message_created_at AS "messageCreatedAt", message_pk AS "messagePk", reaction,
      r.created_at AS "createdAt", position
    FROM reactions r JOIN ${existingChannel("r")}
    WHERE user_pk = $1 AND (r.created_at, position) > ($2::bigint, $3::bigint) ORDER BY r.created_at, position LIMIT $4`,
    },
    [0, 0],
    ({ createdAt, position }: Reaction) => [createdAt, position],
    (entry) => ({ ...presentMention(entry), reaction: entry.reaction, created_at: entry.createdAt }),
  ),

  mentions: onSchemas(
    {
      name: "privacy.mentions",
      text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", message_created_at AS "messageCreatedAt",
      message_pk AS "messagePk"
    FROM mentions mention JOIN ${existingChannel("mention")}
    WHERE user_pk = $1 AND (channel_pk, message_created_at, message_pk) > ($2::bigint, $3::bigint, $4::bigint)
    ORDER BY channel_pk, message_created_at, message_pk LIMIT $5`,
    },
    [0, 0, 0],
    ({ channelPk, messageCreatedAt, messagePk }: Mention) => [channelPk, messageCreatedAt, messagePk],
    presentMention,
  ),

  mutes: onSchemas(
    {
      name: "privacy.mutes",
      text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", until FROM mutes r JOIN ${existingChannel("r")}
    WHERE user_pk = $1 AND channel_pk > $2 ORDER BY channel_pk LIMIT $3`,
    },
    [0],
    ({ channelPk }: Mute) => [channelPk],
    presentMute,
  ),

  bans: onSchemas(
    {
      name: "privacy.bans",
      text: `SELECT channel_pk AS "channelPk", channel_id AS "channelId", until, reason, r.created_at AS "createdAt"
    FROM bans r JOIN ${existingChannel("r")} WHERE user_pk = $1 AND channel_pk > $2 ORDER BY channel_pk LIMIT $3`,
    },
    [0],
    ({ channelPk }: Ban) => [channelPk],
    (entry) => ({
      ...presentMute(entry),
      ...(entry.reason !== null && { reason: entry.reason }),
      created_at: entry.createdAt,
    }),
  ),

  files: onSchemas(
    {
      name: "privacy.files",
      text: `SELECT f.pk, channel_id AS "channelId", file_id AS "fileId", f.name, type, size, status, f.created_at AS "createdAt"
    FROM files f JOIN ${existingChannel("f")}
    WHERE user_pk = $1 AND ${isFile} AND (f.created_at, f.pk) > ($2::bigint, $3::bigint) ORDER BY f.created_at, f.pk LIMIT $4`,
    },
    [0, 0],
    ({ createdAt, pk }: File) => [createdAt, pk],
    ({ channelId, ...file }) => ({
      channel_id: channelId,
      file_id: file.fileId,
      name: file.name,
      type: file.type,
      size: file.size,
      // A deleted one is not read.
      status: file.status as "waiting" | "ready",
      created_at: file.createdAt,
    }),
  ),

  devices: {
    start: [0],
    positionOf: ({ pk }) => [pk],
    read: (db, userPk, after, count) => db.query(findDevices, [userPk, ...after, count]),
    present: ({ deviceId, provider, createdAt, updatedAt }) => ({
      device_id: deviceId,
      // No other is registered.
      provider: provider as PushProvider,
      created_at: createdAt,
      updated_at: updatedAt,
    }),
  } satisfies PersonalList<Device, unknown>,

  blocks: {
    start: [0, 0],
    positionOf: ({ createdAt, blockedPk }) => [createdAt, blockedPk],
    read: (db, userPk, after, count) => db.query(findBlocks, [userPk, ...after, count]),
    present: ({ userId, createdAt }) => ({ user_id: userId, created_at: createdAt }),
  } satisfies PersonalList<PersonalBlock, unknown>,

  /** Reports about the user, about its messages and by the user. */
  reports: {
    start: [0],
    positionOf: ({ pk }) => [pk],
    read: (db, userPk, after, count) => db.query(findReports, [userPk, ...after, count]),
    present: presentReport,
  } satisfies PersonalList<Report, unknown>,
};
