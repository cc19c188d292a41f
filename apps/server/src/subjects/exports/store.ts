import type { Reader, Statement } from "../../db/db";
import type { Position } from "../../paging/position";
import { rejectUnknownChannel } from "../channels/store";
import { type UserRow, userColumns } from "../users/store";

/** A message as the export reads it: without its sender, and what is JSON on the wire already encoded. */
export interface ExportRow extends Position {
  readonly senderPk: number;
  readonly updatedAt: number;
  readonly type: string;
  /** The content of a text message or the reference of a file message, as JSON. */
  readonly body: string;
  /** As JSON. */
  readonly meta: string;
}

export interface MessagePage {
  readonly channelPk: number;
  readonly rows: readonly ExportRow[];
  /** The senders of the rows by key, each once; deleted ones too, as they last were. */
  readonly senders: ReadonlyMap<number, UserRow>;
}

interface PageQuery {
  readonly channelId: string;
  readonly since: number;
  readonly before: Position;
  readonly count: number;
}

/**
 * Messages of a channel older than the position and not before a time, newest first; undefined where there is no such
 * channel. One statement reads the channel, its messages and their senders, and so sees one moment: when the channel is
 * deleted meanwhile, the page is whole or there is none.
 */
export async function readMessagePage(db: Reader, query: PageQuery): Promise<MessagePage | undefined> {
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

interface ExportedChannel {
  readonly pk: number;
  /** Whether messages were edited or deleted a moment ago, so that a replica may still show what they were. */
  readonly isChanging: boolean;
}

export async function requireExportedChannel(db: Reader, channelId: string): Promise<ExportedChannel> {
  const [channel] = await db.query(findChannel, [channelId]);
  return channel ?? rejectUnknownChannel(channelId);
}

/** Each column of the page is one text: the values of its rows, joined. NULL where there are no rows. */
interface Columns {
  readonly pks: string;
  readonly senderPks: string;
  readonly createdAts: string;
  readonly updatedAts: string;
  readonly types: string;
  readonly bodies: string;
  readonly metas: string;
}

type NoRows = { readonly [Column in keyof Columns]: null };

function rowsOf(columns: Columns | NoRows): ExportRow[] {
  if (columns.pks === null) return [];
  const senderPks = columns.senderPks.split(",");
  const createdAts = columns.createdAts.split(",");
  const updatedAts = columns.updatedAts.split(",");
  const types = columns.types.split(",");
  const bodies = columns.bodies.split("\n");
  const metas = columns.metas.split("\n");
  return columns.pks.split(",").map((pk, index) => ({
    pk: Number(pk),
    senderPk: Number(senderPks[index]),
    createdAt: Number(createdAts[index]),
    updatedAt: Number(updatedAts[index]),
    type: types[index] ?? "",
    body: bodies[index] ?? "",
    meta: metas[index] ?? "",
  }));
}

interface Page {
  readonly channelPk: number;
  /** Null where there are no rows. */
  readonly senders: readonly (UserRow & { readonly pk: number })[] | null;
}

// Seven texts, not seven values per message: to split a text costs Node a fraction of reading each value by itself. The
// JSON that PostgreSQL writes has no line break in it. The aggregates take the rows in the order of the subquery.
const list: Statement<Page & (Columns | NoRows)> = {
  name: "exports.list",
  text: `SELECT channels.pk AS "channelPk", page.pks, page."senderPks", page."createdAts", page."updatedAts",
      page.types, page.metas, page.bodies, (
        SELECT json_agg(sender)
        FROM (SELECT pk, ${userColumns} FROM users WHERE pk = ANY (page."senderKeys")) AS sender) AS senders
    FROM channels
    CROSS JOIN LATERAL (
      SELECT array_agg(sender_pk) AS "senderKeys", string_agg(pk::text, ',') AS pks, string_agg(sender_pk::text, ',') AS "senderPks",
        string_agg(created_at::text, ',') AS "createdAts", string_agg(updated_at::text, ',') AS "updatedAts",
        string_agg(type, ',') AS types, string_agg(meta::text, E'\\n') AS metas,
        string_agg(COALESCE(file::text, to_json(content)::text), E'\\n') AS bodies
      FROM (
        SELECT * FROM messages
        WHERE channel_pk = channels.pk AND created_at >= $2 AND (created_at, pk) < ($3::bigint, $4::bigint)
        ORDER BY created_at DESC, pk DESC LIMIT $5
      ) AS message
    ) AS page
    WHERE channel_id = $1 AND deleted_at IS NULL`,
};

/** Well above the lag of a replica that is in use, and the time that a change may take until it is committed. */
const changingMs = 60_000;

const findChannel: Statement<ExportedChannel> = {
  name: "exports.find-channel",
  text: `SELECT pk,
      COALESCE(messages_changed_at > extract(epoch FROM now()) * 1000 - ${changingMs}, false) AS "isChanging"
    FROM channels WHERE channel_id = $1 AND deleted_at IS NULL`,
};
