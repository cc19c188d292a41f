import type { Db, Statement } from "../../db/db";
import { columnsOf, itemsOf, type Joined } from "../../db/row";
import { inOrder } from "../../paging/id-list";
import { readPage } from "../../paging/page-bytes";
import { takePage } from "../../paging/page-query";
import { isNewer, type Position, positionsDescending } from "../../paging/position";
import type { ActingUser } from "../../security/acting-user";
import { rejectUnknownChannel } from "../channels/store";
import { existsFor } from "../channels/visibility";
import { findPosition, formatMessageId } from "../message-id";
import { type MessageRow, messageBytes, messageSize, positionOf, selectMessages } from "./store";

/** How many messages to read on each side of a boundary. */
export interface Sides {
  readonly newer: number;
  readonly older: number;
}

export interface MessageWindow {
  readonly channelPk: number;
  /** Newest first. */
  readonly newer: readonly MessageRow[];
  readonly older: readonly MessageRow[];
}

/** The messages next to a boundary, on both sides. A message at the boundary itself counts as older. */
export async function readWindow(
  db: Db,
  channelId: string,
  boundary: Position,
  { newer, older }: Sides,
  acting: ActingUser | undefined,
): Promise<MessageWindow> {
  const values = [channelId, boundary.createdAt, boundary.pk, newer, older, acting?.userPk ?? null];
  const rows = await db.query(list, values);
  const first = rows[0] ?? rejectUnknownChannel(channelId);
  // Sorted here, because it costs less than sorting whole rows in PostgreSQL.
  const messages = itemsOf(rows, "messagePk").sort((one, other) =>
    positionsDescending(positionOf(one), positionOf(other)),
  );
  const isAbove = (row: MessageRow) => isNewer(positionOf(row), boundary);
  return {
    channelPk: first.channelPk,
    newer: messages.filter(isAbove),
    older: messages.filter((row) => !isAbove(row)),
  };
}

/** Ids of messages without duplicates: those that the service assigned, or those that the application gave them. */
export interface MessageIds {
  readonly kind: "message_ids" | "external_ids";
  readonly ids: readonly string[];
}

interface FoundMessages {
  readonly channelPk: number;
  readonly messages: readonly MessageRow[];
  /** The ids after those of the messages. */
  readonly rest: readonly string[];
}

/** The messages with the ids, in their order, without those that do not exist: as many as a page can have. */
export async function findMessages(
  db: Db,
  channelId: string,
  { kind, ids }: MessageIds,
  acting: ActingUser | undefined,
): Promise<FoundMessages> {
  const user = acting?.userPk ?? null;
  const positions = ids.flatMap((id) => findPosition(id) ?? []);
  const rows = await (kind === "message_ids"
    ? db.query(findByIds, [channelId, user, ...columnsOf(positions, "createdAt", "pk")])
    : db.query(findByExternalIds, [channelId, user, ids]));
  const { channelPk } = rows[0] ?? rejectUnknownChannel(channelId);
  const idOf = (row: MessageRow) =>
    kind === "message_ids" ? formatMessageId(positionOf(row)) : (row.externalId ?? "");
  const { items, last } = takePage(inOrder(ids, itemsOf(rows, "messagePk"), idOf), ids.length, messageBytes);
  return {
    channelPk,
    messages: items,
    rest: last === undefined ? [] : ids.slice(ids.indexOf(idOf(last)) + 1),
  };
}

/** In no order. */
type ListRow = Joined<MessageRow, "messagePk", { readonly channelPk: number }>;

const list: Statement<ListRow> = {
  name: "messages.list",
  text: `SELECT c.pk AS "channelPk", found.* FROM channels c
    LEFT JOIN LATERAL (${selectMessages(
      `(${readPage(
        `SELECT * FROM messages
        WHERE channel_pk = c.pk AND (created_at, pk) > ($2::bigint, $3::bigint)
        ORDER BY created_at, pk LIMIT $4`,
        "created_at, pk",
        messageSize,
      )}
      UNION ALL
      ${readPage(
        `SELECT * FROM messages
        WHERE channel_pk = c.pk AND (created_at, pk) <= ($2::bigint, $3::bigint)
        ORDER BY created_at DESC, pk DESC LIMIT $5`,
        "created_at DESC, pk DESC",
        messageSize,
      )}) AS newer_and_older`,
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL AND ${existsFor("c.pk", "$6")}`,
};

const defineFind = (name: string, asked: string, isAsked: string): Statement<ListRow> => ({
  name,
  text: `SELECT c.pk AS "channelPk", found.* FROM channels c
    LEFT JOIN LATERAL (${selectMessages(
      `${readPage(
        `SELECT m.*, number FROM unnest(${asked}, number)
        JOIN messages m ON m.channel_pk = c.pk AND ${isAsked}`,
        "number",
        messageSize,
      )} AS of_page`,
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL AND ${existsFor("c.pk", "$2")}`,
});

const findByIds = defineFind(
  "messages.find-by-ids",
  "$3::bigint[], $4::bigint[]) WITH ORDINALITY AS asked (at, key",
  "m.created_at = at AND m.pk = key",
);

const findByExternalIds = defineFind(
  "messages.find-by-external-ids",
  "$3::text[]) WITH ORDINALITY AS asked (id",
  "m.external_id = id",
);
