import { erasedUserId } from "@madang/contract";
import { type ChannelRow, channelColumns } from "../../chat/channels/store";
import { type PreferencesRow, preferencesOf } from "../../chat/members/preferences";
import { type MessageRow, messageSize, selectMessages } from "../../chat/messages/store";
import { type UserRow, userColumns } from "../../chat/users/store";
import type { Db, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { type ReportRow, reportColumns } from "../reports/store";

type Fields =
  | "pk"
  | "type"
  | "createdAt"
  | "channelPk"
  | "channelId"
  | "userPk"
  | "userId"
  | "messageCreatedAt"
  | "messagePk"
  | "detail";

/** An event with the current state of its resource, which is null if it no longer exists. */
export interface PresentedRow extends Row<"Event", Fields> {
  readonly user: UserRow | null;
  readonly channel: ChannelRow | null;
  readonly message: MessageRow | null;
  readonly report: ReportRow | null;
  /** The keys of the participants and managers of a deleted channel. Null in other events. */
  readonly members: readonly number[] | null;
  /** Whether the message of a reaction exists. Null in other events. */
  readonly hasMessage: boolean | null;
  /** Of the participant whose preferences changed. */
  readonly preferences: PreferencesRow | null;
}

const storedColumns = `found.pk, found.type, found.created_at AS "createdAt", found.channel_pk AS "channelPk",
  found.channel_id AS "channelId", found.user_id AS "userId", found.message_created_at AS "messageCreatedAt",
  found.message_pk AS "messagePk", found.user_pk AS "userPk", CASE WHEN starts_with(found.type, 'block.') THEN (
    SELECT jsonb_build_object('blocked_user_id', user_id) FROM users
    WHERE pk = (found.detail->>'blocked_pk')::bigint AND user_id <> '${erasedUserId}')
    ELSE found.detail - '{times,members,ended}'::text[] END AS detail,
  found.detail->'members' AS members,
  CASE WHEN starts_with(found.type, 'user.') OR starts_with(found.type, 'member.')
    OR starts_with(found.type, 'manager.') THEN (
    SELECT to_json(about) FROM (
      SELECT ${userColumns} FROM users WHERE pk = found.user_pk AND deleted_at IS NULL) AS about) END AS "user",
  CASE WHEN starts_with(found.type, 'report.') THEN (
    SELECT to_json(about) FROM (
      SELECT ${reportColumns} FROM reports WHERE report_id = found.detail->>'report_id') AS about) END AS report`;

/** The message of an event, a row. That of a deleted channel is not found. */
const messageOf = (event: string) => `messages WHERE channel_pk = ${event}.channel_pk
  AND created_at = ${event}.message_created_at AND pk = ${event}.message_pk AND EXISTS (
    SELECT FROM channels c WHERE c.pk = ${event}.channel_pk AND c.deleted_at IS NULL)`;

const resourceColumns = `CASE WHEN starts_with(found.type, 'channel.') OR starts_with(found.type, 'messages.') THEN (
    SELECT to_json(about) FROM (
      SELECT ${channelColumns} FROM channels WHERE pk = found.channel_pk AND deleted_at IS NULL) AS about) END AS channel,
  CASE WHEN starts_with(found.type, 'message.') THEN (
    SELECT to_json(about) FROM (${selectMessages(messageOf("found"))}) AS about) END AS message,
  CASE WHEN starts_with(found.type, 'reaction.') THEN EXISTS (SELECT FROM ${messageOf("found")}) END AS "hasMessage",
  CASE WHEN found.type = 'member.preferences' THEN (
    SELECT to_json(about) FROM (
      SELECT ${preferencesOf("m")} FROM members m
      WHERE m.channel_pk = found.channel_pk AND m.user_pk = found.user_pk) AS about) END AS preferences`;

// Of what is read: a larger size would end the page before `fillPage` does, and the events after it would be lost.
const sizeOfMessage = `CASE WHEN starts_with(type, 'message.') THEN (
    SELECT ${messageSize} FROM ${messageOf("every")}) END`;

/** A statement that reads events. On the coordinator of Citus, it reads them without channels and messages. */
interface EventRead<Row> {
  readonly complete: Statement<Row>;
  readonly onCoordinator: Statement<Row>;
}

/** `textWith` gets the columns of an event of `found`, and the size of the message of an event of `numbered`. */
export const defineEventRead = <Row>(
  name: string,
  textWith: (columns: string, size: string) => string,
): EventRead<Row> => ({
  complete: { name, text: textWith(`${storedColumns}, ${resourceColumns}`, sizeOfMessage) },
  onCoordinator: {
    name: `${name}-on-coordinator`,
    text: textWith(
      `${storedColumns}, NULL::json AS channel, NULL::json AS message, NULL::boolean AS "hasMessage",
        NULL::json AS preferences`,
      "0",
    ),
  },
});

/** Reads events. `addResources` then adds channels and messages. */
export const queryEvents = <Row>(
  db: Db,
  { complete, onCoordinator }: EventRead<Row>,
  values: readonly unknown[],
) => db.query(db.isDistributed ? onCoordinator : complete, values);

/** Adds the current state of channels and messages, which Citus has on other nodes than the feed. */
export async function addResources<Event extends PresentedRow>(
  db: Db,
  events: readonly Event[],
): Promise<readonly Event[]> {
  if (!db.isDistributed) return events;
  const bySchema = Map.groupBy(events, ({ channelId }) =>
    channelId === null ? undefined : db.channel(channelId),
  );
  const pages = await Promise.all(
    [...bySchema].map(([schema, ofSchema]) => schema?.query(readResources, [JSON.stringify(ofSchema)]) ?? []),
  );
  const byPk = new Map(pages.flat().map((each) => [each.pk, each]));
  return events.map((event) => ({ ...event, ...byPk.get(event.pk) }));
}

const readResources: Statement<
  Pick<PresentedRow, "pk" | "channel" | "message" | "hasMessage" | "preferences">
> = {
  name: "events.read-resources",
  text: `SELECT found.pk, ${resourceColumns} FROM (
      SELECT pk, type, "channelPk" AS channel_pk, "userPk" AS user_pk, "messageCreatedAt" AS message_created_at,
        "messagePk" AS message_pk
      FROM json_to_recordset($1::json) AS event (
        pk bigint, type text, "channelPk" bigint, "userPk" bigint, "messageCreatedAt" bigint, "messagePk" bigint)
    ) AS found`,
};
