import { messageSize, type StoredMessage, selectContent, selectExtras } from "../../chat/messages/store";
import { type UserRow, userColumns } from "../../chat/users/store";
import type { Db, Statement } from "../../db/db";
import { readPage } from "../../paging/page-bytes";
import type { Position } from "../../paging/position";

/** A message, and the key of its sender. */
export interface ExportRow extends StoredMessage {
  readonly senderPk: number | null;
}

export interface MessagePage {
  readonly channelPk: number;
  readonly rows: readonly ExportRow[];
  /** The senders of the rows by primary key, including deleted users with their last values. */
  readonly senders: ReadonlyMap<number, UserRow>;
}

interface PageQuery {
  readonly channelId: string;
  readonly since: number;
  readonly before: Position;
  readonly count: number;
}

/**
 * Messages of a channel older than the position and not before a time, newest first; undefined if the channel does not
 * exist. One statement reads the channel, its messages and their senders, so it sees one moment: if the channel is
 * deleted concurrently, the page is complete or there is none.
 */
export async function readMessagePage(db: Db, query: PageQuery): Promise<MessagePage | undefined> {
  const { channelId, since, before, count } = query;
  const [page] = await db.query(list, [channelId, since, before.createdAt, before.pk, count]);
  return (
    page && {
      channelPk: page.channelPk,
      rows: rowsOf(page),
      senders: new Map(page.senders?.map((sender) => [sender.pk, sender])),
    }
  );
}

/** The values of a column of the page: JSON, separated by commas. NULL when there are no rows. */
interface Columns {
  readonly pks: string;
  readonly senderPks: string;
  readonly createdAts: string;
  readonly updatedAts: string;
  readonly contents: string;
  readonly files: string;
  readonly metas: string;
  readonly externalIds: string;
  readonly extras: string;
}

type NoRows = { readonly [Column in keyof Columns]: null };

function rowsOf(columns: Columns | NoRows): ExportRow[] {
  if (columns.pks === null) return [];
  const senderPk = reader<"senderPk">(columns.senderPks);
  const sentAt = reader<"sentAt">(columns.createdAts);
  const changedAt = reader<"changedAt">(columns.updatedAts);
  const content = reader<"content">(columns.contents);
  const file = reader<"file">(columns.files);
  const messageMeta = reader<"messageMeta">(columns.metas);
  const externalId = reader<"externalId">(columns.externalIds);
  const extras = reader<"extras">(columns.extras);
  const pks: number[] = JSON.parse(`[${columns.pks}]`);
  return pks.map((messagePk, row) => ({
    messagePk,
    senderPk: senderPk(row),
    sentAt: sentAt(row),
    changedAt: changedAt(row),
    content: content(row),
    file: file(row),
    messageMeta: messageMeta(row),
    externalId: externalId(row),
    extras: extras(row),
  }));
}

/** Reads a column by row. Each column has a value for each row. */
function reader<Name extends keyof ExportRow>(column: string): (row: number) => ExportRow[Name] {
  const values = JSON.parse(`[${column}]`);
  return (row) => values[row];
}

interface Page {
  readonly channelPk: number;
  /** Null if there are no rows. */
  readonly senders: readonly (UserRow & { readonly pk: number })[] | null;
}

// Nine texts, not nine values per message: parsing one text costs Node a fraction of reading each value by itself.
// The aggregates take the rows in the order of the subquery.
const list: Statement<Page & (Columns | NoRows)> = {
  name: "exports.list",
  text: `SELECT c.pk AS "channelPk", page.pks, page."senderPks",
      page."createdAts", page."updatedAts", page.contents, page.files, page.metas, page."externalIds",
      page.extras, (
        SELECT json_agg(sender)
        FROM (SELECT pk, ${userColumns} FROM users WHERE pk = ANY (page."senderKeys")) AS sender) AS senders
    FROM channels c
    CROSS JOIN LATERAL (
      SELECT array_agg(sender_pk) AS "senderKeys", string_agg(pk::text, ',') AS pks, 
        string_agg(COALESCE(sender_pk::text, 'null'), ',') AS "senderPks",
        string_agg(created_at::text, ',') AS "createdAts", string_agg(updated_at::text, ',') AS "updatedAts",
        string_agg(COALESCE(to_json(${selectContent("message")})::text, 'null'), ',') AS contents,
        string_agg(COALESCE(file::text, 'null'), ',') AS files, string_agg(meta::text, ',') AS metas,
        string_agg(COALESCE(to_json(external_id)::text, 'null'), ',') AS "externalIds",
        string_agg(COALESCE((${selectExtras("message")})::text, 'null'), ',') AS extras
      FROM ${readPage(
        `SELECT * FROM messages
        WHERE channel_pk = c.pk AND created_at >= $2 AND (created_at, pk) < ($3::bigint, $4::bigint)
        ORDER BY created_at DESC, pk DESC LIMIT $5`,
        "created_at DESC, pk DESC",
        messageSize,
      )} AS message
    ) AS page
    WHERE channel_id = $1 AND deleted_at IS NULL`,
};
