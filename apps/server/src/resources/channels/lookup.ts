import type { Queryable, Statement } from "../../db/db";
import { rejectUnknownUser } from "../users/store";
import { rejectUnknownChannel } from "./store";

interface Found {
  readonly isChannel: boolean;
  readonly isUser: boolean;
}

/** A statement that reads the channel $1 and the user $2. `facts` are columns over `c` and `u`. */
export const defineLookup = <Facts>(name: string, facts: string): Statement<Found & Facts> => ({
  name,
  text: `SELECT c.pk IS NOT NULL AS "isChannel", u.pk IS NOT NULL AS "isUser", ${facts}
    FROM (SELECT) AS one
    LEFT JOIN {channels} c ON c.channel_id = $1 AND c.deleted_at IS NULL
    LEFT JOIN {users} u ON u.user_id = $2 AND u.deleted_at IS NULL`,
});

/** Whether `u` has an entry in `c`. */
export const hasEntry = (table: "members" | "managers") =>
  `EXISTS (SELECT FROM {${table}} e WHERE e.channel_pk = c.pk AND e.user_pk = u.pk)`;

/** Runs the statement. Rejects the request if the channel or the user does not exist. */
export async function requireChannelAndUser<Facts>(
  db: Queryable,
  statement: Statement<Found & Facts>,
  channelId: string,
  userId: string,
): Promise<Facts> {
  const [found] = await db.channel(channelId).query(statement, [channelId, userId]);
  if (!found?.isChannel) rejectUnknownChannel(channelId);
  if (!found.isUser) rejectUnknownUser(userId);
  return found;
}
