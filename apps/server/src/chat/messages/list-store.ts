import type { Reader, Statement } from "../../db/db";
import { readPage } from "../../paging/page-bytes";
import { type Position, positionsDescending } from "../../paging/position";
import { rejectUnknownChannel } from "../channels/store";
import { findPosition } from "../message-id";
import { type MessageRow, messageSize, positionOf, selectMessages } from "./store";

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
  db: Reader,
  channelId: string,
  boundary: Position,
  { newer, older }: Sides,
): Promise<MessageWindow> {
  const rows = await db
    .channel(channelId)
    .query(list, [channelId, boundary.createdAt, boundary.pk, newer, older]);
  const [first] = rows;
  if (first === undefined) return rejectUnknownChannel(channelId);
  // Sorted here, because it costs less than sorting whole rows in PostgreSQL.
  const messages = rows
    .filter((row): row is Found => row.messagePk !== null)
    .sort((one, other) => positionsDescending(positionOf(one), positionOf(other)));
  const isNewer = (row: Found) => positionsDescending(positionOf(row), boundary) < 0;
  return {
    channelPk: first.channelPk,
    newer: messages.filter(isNewer),
    older: messages.filter((row) => !isNewer(row)),
  };
}

/** The existing messages among those with the ids, in no order. */
export async function findMessages(
  db: Reader,
  channelId: string,
  messageIds: readonly string[],
): Promise<MessageRow[]> {
  const positions = messageIds.flatMap((id) => findPosition(id) ?? []);
  const rows = await db
    .channel(channelId)
    .query(findMany, [channelId, positions.map(({ createdAt }) => createdAt), positions.map(({ pk }) => pk)]);
  if (rows.length === 0) return rejectUnknownChannel(channelId);
  return rows.filter((row): row is Found => row.messagePk !== null);
}

type Found = MessageRow & { readonly channelPk: number };

/** In no order. No row: the channel does not exist. One row without a message: it has none. */
type Row = Found | { readonly channelPk: number; readonly messagePk: null };

const list: Statement<Row> = {
  name: "messages.list",
  text: `SELECT c.pk AS "channelPk", found.* FROM {channels} c
    LEFT JOIN LATERAL (${selectMessages(
      `(${readPage(
        `SELECT * FROM {messages}
        WHERE channel_pk = c.pk AND (created_at, pk) > ($2::bigint, $3::bigint)
        ORDER BY created_at, pk LIMIT $4`,
        "created_at, pk",
        messageSize,
      )}
      UNION ALL
      ${readPage(
        `SELECT * FROM {messages}
        WHERE channel_pk = c.pk AND (created_at, pk) <= ($2::bigint, $3::bigint)
        ORDER BY created_at DESC, pk DESC LIMIT $5`,
        "created_at DESC, pk DESC",
        messageSize,
      )}) AS newer_and_older`,
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL`,
};

const findMany: Statement<Row> = {
  name: "messages.find-many",
  text: `SELECT c.pk AS "channelPk", found.* FROM {channels} c
    LEFT JOIN LATERAL (${selectMessages(
      `unnest($2::bigint[], $3::bigint[]) AS asked (at, key)
      JOIN {messages} ON channel_pk = c.pk AND created_at = at AND pk = key`,
    )}) AS found ON true
    WHERE channel_id = $1 AND deleted_at IS NULL`,
};
