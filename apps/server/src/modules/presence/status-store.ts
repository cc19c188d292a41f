import { hasBlocked } from "../../chat/restrictions/conditions";
import { type Db, readSchemas, type Statement } from "../../db/db";
import { columnsOf, type Row } from "../../db/row";
import { isOnlineIn, validLeases } from "./online-store";

/** Whether a user is online, and when it was last online, if that is stored. */
export interface StatusRow {
  readonly userPk: number;
  readonly userId: string;
  readonly isOnline: boolean;
  readonly lastSeenAt: Row<"LastSeenTime">["lastSeenAt"] | null;
}

/** A user, and the viewer who wants to see the user's presence. */
export interface Pair {
  readonly viewerPk: number;
  readonly userPk: number;
}

/** A pair with a channel in which both are, and whether one of the two has blocked the other. */
export interface SharedPair extends Pair {
  readonly isBlocked: boolean;
}

/** The existing users among those with these ids, in their order. */
export const listStatuses = (db: Db, userIds: readonly string[]): Promise<StatusRow[]> =>
  db.query(list, [userIds]);

/** The pairs of users who share a channel. */
export async function listShared(db: Db, pairs: readonly Pair[]): Promise<SharedPair[]> {
  if (pairs.length === 0) return [];
  return (await readSchemas(db, listPairs, columnsOf(pairs, "viewerPk", "userPk"))).flat();
}

const list: Statement<StatusRow> = {
  name: "presence.list-statuses",
  text: `WITH running AS MATERIALIZED (${validLeases})
    SELECT u.pk AS "userPk", u.user_id AS "userId", ${isOnlineIn("running", "u.pk")} AS "isOnline", seen.last_seen_at AS "lastSeenAt"
    FROM unnest($1::text[]) WITH ORDINALITY AS asked (user_id, index)
    JOIN users u ON u.user_id = asked.user_id AND u.deleted_at IS NULL
    LEFT JOIN last_seen_times seen ON seen.user_pk = u.pk
    ORDER BY index`,
};

/** How many channels of a viewer are looked up at most. */
const maxChannels = 1_000;

const channelsOf = (userPk: string, limit: number | "ALL") => `ARRAY(
        SELECT c.pk FROM (
          SELECT channel_pk FROM members WHERE user_pk = ${userPk}
          UNION ALL SELECT channel_pk FROM managers WHERE user_pk = ${userPk}) AS role
        JOIN channels c ON c.pk = role.channel_pk AND c.deleted_at IS NULL LIMIT ${limit})`;

const isInOneOf = (channelPks: string, userPk: string) => `EXISTS (
        SELECT FROM (SELECT unnest(${channelPks}) AS pk) AS c
        WHERE EXISTS (SELECT FROM members WHERE channel_pk = c.pk AND user_pk = ${userPk} OFFSET 0)
          OR EXISTS (SELECT FROM managers WHERE channel_pk = c.pk AND user_pk = ${userPk} OFFSET 0))`;

// The channels of a viewer are read once, and each is looked up for each user. A viewer may be in very many channels: then those of each
// user are looked up. OFFSET keeps PostgreSQL from turning a lookup into a read of all channels of a user.
const listPairs: Statement<SharedPair> = {
  name: "presence.list-shared",
  text: `SELECT viewer.pk AS "viewerPk", asked.pk AS "userPk",
      ${hasBlocked("viewer.pk", "asked.pk")} OR ${hasBlocked("asked.pk", "viewer.pk")} AS "isBlocked"
    FROM (
      SELECT viewer_pk, array_agg(user_pk) FROM unnest($1::bigint[], $2::bigint[]) AS pair (viewer_pk, user_pk)
      GROUP BY viewer_pk) AS viewer (pk, user_pks)
    CROSS JOIN LATERAL (SELECT ${channelsOf("viewer.pk", maxChannels)} AS pks OFFSET 0) AS own
    CROSS JOIN unnest(viewer.user_pks) AS asked (pk)
    WHERE CASE WHEN cardinality(own.pks) < ${maxChannels} THEN ${isInOneOf("own.pks", "asked.pk")}
      ELSE ${isInOneOf(channelsOf("asked.pk", "ALL"), "viewer.pk")} END`,
};
