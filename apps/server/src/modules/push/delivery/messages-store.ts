import { memberCountOf } from "../../../chat/channels/store";
import { isQuiet } from "../../../chat/members/preferences";
import { readPosition } from "../../../chat/members/unread";
import { hasBlocked } from "../../../chat/restrictions/conditions";
import type { Db, Statement } from "../../../db/db";
import { columnsOf } from "../../../db/row";

/** A message that is complete. */
export interface PushedMessage {
  readonly channelPk: number;
  readonly channelId: string;
  readonly createdAt: number;
  readonly pk: number;
}

/** A message of an event. */
export interface EventMessage extends PushedMessage {
  /** Whether the event is the end of a message that was written by appends. */
  readonly isEnd: boolean;
}

/** A message that a user shall get. */
export interface Recipient extends PushedMessage {
  readonly userPk: number;
}

/** What a notification of a message shows. */
export interface ShownMessage {
  /** The index of the recipient. */
  readonly index: number;
  readonly channelName: string;
  readonly memberCount: number;
  /** Null in a system message. */
  readonly senderPk: number | null;
  readonly senderId: string | null;
  readonly senderName: string | null;
  /** The beginning of the content, or the name of the file or of the first attachment. */
  readonly text: string | null;
}

/** Who shall get messages, of those who have devices. The messages are in the schema. */
export const findRecipients = (
  schema: Db,
  messages: readonly EventMessage[],
  { isDistributed }: Pick<Db, "isDistributed">,
): Promise<Recipient[]> =>
  schema.query(
    isDistributed ? findAll : findWithDevices,
    columnsOf(messages, "channelPk", "createdAt", "pk", "isEnd"),
  );

/** What recipients shall get still, with what is shown of it. */
export async function readMessages(
  db: Db,
  schema: Db,
  recipients: readonly Recipient[],
): Promise<ShownMessage[]> {
  const shown = await schema.query(read, columnsOf(recipients, "channelPk", "createdAt", "pk", "userPk"));
  const erased = await db.query(findErased, [[...new Set(shown.flatMap(({ senderPk }) => senderPk ?? []))]]);
  const isErased = new Set(erased.map(({ pk }) => pk));
  return shown.filter(({ senderPk }) => senderPk === null || !isErased.has(senderPk));
}

// The order of the lookups is that of the text: the message, its channel, the participants. OFFSET makes PostgreSQL look up each.
const messageOf = (key: string) => `CROSS JOIN LATERAL (
      SELECT * FROM messages WHERE channel_pk = ${key}.channel_pk AND created_at = ${key}.created_at AND pk = ${key}.pk
        AND state IS DISTINCT FROM 'streaming'
        AND (content <> '' OR file IS NOT NULL OR parts IS NOT NULL OR attachments IS NOT NULL) OFFSET 0) AS m
    JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL`;

/** Whether the message `m` was sent complete, in SQL. Others are pushed with the event of their end, also when they have ended since. */
const isNotStreamed = "(m.state IS NULL AND m.finish_digest IS NULL)";

/**
 * Whether the user of a row of `members` shall get the message `m`, in SQL: it is from another one whom the user has not blocked, and not
 * read yet, and the channel is not quiet for the user, who may want those alone that mention it.
 */
const isWanted = (member: string) => `${member}.user_pk IS DISTINCT FROM m.sender_pk
      AND (m.created_at, m.pk) > ${readPosition(member)} AND NOT ${isQuiet(member)}
      AND (${member}.notify IS NULL OR EXISTS (
        SELECT FROM mentions mention WHERE mention.channel_pk = m.channel_pk AND mention.message_created_at = m.created_at
          AND mention.message_pk = m.pk AND mention.user_pk = ${member}.user_pk OFFSET 0))
      AND NOT ${hasBlocked(`${member}.user_pk`, "m.sender_pk")}`;

const defineFind = (name: string, condition: string): Statement<Recipient> => ({
  name,
  text: `SELECT m.channel_pk AS "channelPk", c.channel_id AS "channelId", m.created_at AS "createdAt", m.pk,
      e.user_pk AS "userPk"
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::boolean[]) AS event (channel_pk, created_at, pk, is_end)
    ${messageOf("event")} JOIN members e ON e.channel_pk = m.channel_pk
    WHERE (is_end OR ${isNotStreamed}) AND ${condition} AND ${isWanted("e")}`,
});

const findWithDevices = defineFind(
  "push.find-recipients",
  "EXISTS (SELECT FROM devices device WHERE device.user_pk = e.user_pk OFFSET 0)",
);
/** In a schema of Citus, devices are on another node. */
const findAll = defineFind("push.find-all-recipients", "true");

/** The erasure of a sender takes a while to reach its messages. */
const findErased: Statement<{ readonly pk: number }> = {
  name: "push.find-erased-senders",
  text: "SELECT user_pk AS pk FROM erased_users WHERE user_pk = ANY ($1::bigint[])",
};

const maxTextCharacters = 301;

const read: Statement<ShownMessage> = {
  name: "push.read-messages",
  text: `SELECT (ordinal - 1)::integer AS index, c.name AS "channelName", ${memberCountOf("c")} AS "memberCount",
      m.sender_pk AS "senderPk", sender.user_id AS "senderId", sender.name AS "senderName",
      COALESCE(NULLIF(left(m.content, ${maxTextCharacters}), ''), m.file->>'name', m.attachments->0->>'name') AS text
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) WITH ORDINALITY
      AS recipient (channel_pk, created_at, pk, user_pk, ordinal)
    ${messageOf("recipient")}
    JOIN members e ON e.channel_pk = m.channel_pk AND e.user_pk = recipient.user_pk
    JOIN users u ON u.pk = e.user_pk AND u.deleted_at IS NULL
    LEFT JOIN users sender ON sender.pk = m.sender_pk
    WHERE ${isWanted("e")}`,
};
