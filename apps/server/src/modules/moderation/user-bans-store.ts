import { type ChannelRow, channelFields } from "../../chat/channels/store";
import { isInForce } from "../../chat/restrictions/conditions";
import { type Db, mergePages, readSchemas, type Statement } from "../../db/db";
import { type Row, selectList } from "../../db/row";
import type { Position } from "../../paging/position";

/** A ban in force, with its channel. */
export interface ChannelBanRow extends ChannelRow, Pick<Row<"Ban">, "until" | "reason"> {
  readonly channelPk: number;
  readonly bannedAt: number;
}

export const positionOfBan = ({ bannedAt, channelPk }: ChannelBanRow): Position => ({
  createdAt: bannedAt,
  pk: channelPk,
});

/** The bans of a user that are in force, newest first, before the position. */
export async function listBansOfUser(
  db: Db,
  userPk: number,
  { before, count }: { before: Position; count: number },
): Promise<ChannelBanRow[]> {
  const pages = await readSchemas(db, list, [userPk, before.createdAt, before.pk, count]);
  return mergePages(pages, newestFirst, count);
}

const newestFirst = (one: ChannelBanRow, other: ChannelBanRow) =>
  other.bannedAt - one.bannedAt || other.channelPk - one.channelPk;

const list: Statement<ChannelBanRow> = {
  name: "bans.list-of-user",
  text: `SELECT c.pk AS "channelPk", until, reason, b.created_at AS "bannedAt", ${selectList(channelFields, "c.")}
    FROM bans b JOIN channels c ON c.pk = b.channel_pk AND c.deleted_at IS NULL
    WHERE b.user_pk = $1 AND ${isInForce("b.until")} AND (b.created_at, b.channel_pk) < ($2::bigint, $3::bigint)
    ORDER BY b.created_at DESC, b.channel_pk DESC LIMIT $4`,
};
