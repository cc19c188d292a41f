import { readCopiedRows, type Span } from "../../db/copied-rows";
import type { CopyStatement, Reader, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import { refuseUnknownChannel } from "../channels/store";
import { type UserRow, userColumns } from "../users/store";

/** A message as the export reads it: without its sender, and its JSON and text left where they lie. */
export interface ExportRow extends Position {
  readonly updatedAt: number;
  readonly senderPk: number;
  readonly content: Span | null;
  readonly file: Span | null;
  readonly meta: Span;
}

/** Rows, and the bytes that they point into. */
export interface ExportRows {
  readonly bytes: Buffer;
  readonly rows: readonly ExportRow[];
}

export type Sender = UserRow & { readonly pk: number };

export async function requireChannelPk(db: Reader, channelId: string): Promise<number> {
  const [channel] = await db.query(findChannel, [channelId]);
  return channel?.pk ?? refuseUnknownChannel(channelId);
}

/** Messages of a channel older than the position and not before a time, newest first. */
export async function listMessages(
  db: Reader,
  { channelPk, since, before, count }: { channelPk: number; since: number; before: Position; count: number },
): Promise<ExportRows> {
  const bytes = await db.copy(list, [channelPk, since, before.createdAt, before.pk, count]);
  const rows = readCopiedRows(bytes, (fields) => ({
    pk: fields.number(),
    createdAt: fields.number(),
    updatedAt: fields.number(),
    senderPk: fields.number(),
    content: fields.textOrNull(),
    file: fields.textOrNull(),
    meta: fields.text(),
  }));
  return { bytes, rows };
}

/** Every sender of a page once; deleted ones too, as they last were. */
export async function findSenders(
  db: Reader,
  rows: readonly ExportRow[],
): Promise<ReadonlyMap<number, Sender>> {
  const keys = [...new Set(rows.map(({ senderPk }) => senderPk))];
  const senders = keys.length === 0 ? [] : await db.query(find, [keys]);
  return new Map(senders.map((sender) => [sender.pk, sender]));
}

const findChannel: Statement<{ pk: number }> = {
  name: "exports.find-channel",
  text: "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL",
};

const usualRowBytes = 220;

const list: CopyStatement = {
  name: "exports.list",
  usualBytes: ([, , , , count = 0n]) => 1_024 + Number(count) * usualRowBytes,
  select: ([
    channelPk,
    since,
    createdAt,
    pk,
    count,
  ]) => `SELECT pk, created_at, updated_at, sender_pk, content,
      file::text, meta::text
    FROM messages
    WHERE channel_pk = ${channelPk} AND created_at >= ${since}
      AND (created_at, pk) < (${createdAt}::bigint, ${pk}::bigint)
    ORDER BY created_at DESC, pk DESC LIMIT ${count}`,
};

const find: Statement<Sender> = {
  name: "exports.find-senders",
  text: `SELECT pk, ${userColumns} FROM users WHERE pk = ANY ($1::bigint[])`,
};
