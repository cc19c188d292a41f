import type { Queryable, Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { type UserRow, userColumns } from "../users/store";
import { rejectUnknownChannel } from "./store";

/** A participant or manager, with the time of joining. */
export type EntryRow = UserRow & Row<"Member" | "Manager", "joinedAt">;

/** The participants or managers of a channel, oldest entry first. */
export async function listEntries(
  db: Queryable,
  table: "members" | "managers",
  channelId: string,
): Promise<EntryRow[]> {
  const rows = await db.channel(channelId).query(lists[table], [channelId]);
  if (rows.length === 0) rejectUnknownChannel(channelId);
  return rows.filter((row): row is EntryRow => row.userId !== null);
}

/** No row: the channel does not exist. One row without a user: the list is empty. */
type ListRow = EntryRow | { readonly userId: null };

const list = (table: string): Statement<ListRow> => ({
  name: `${table}.list`,
  text: `SELECT entry.* FROM {channels} c LEFT JOIN LATERAL (
      SELECT joined_at AS "joinedAt", position, ${userColumns}
      FROM {${table}} JOIN {users} u ON u.pk = user_pk AND u.deleted_at IS NULL WHERE channel_pk = c.pk
    ) entry ON true
    WHERE channel_id = $1 AND c.deleted_at IS NULL ORDER BY entry."joinedAt", entry.position`,
});

const lists = { members: list("members"), managers: list("managers") };
