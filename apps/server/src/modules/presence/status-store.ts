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

/** A pair that may share a channel. */
interface FoundPair extends SharedPair {
  /** Null: both are in very many channels. */
  readonly isShared: true | null;
}

/** The existing users among those with these ids, in their order. */
export const listStatuses = (db: Db, userIds: readonly string[]): Promise<StatusRow[]> =>
  db.query(list, [userIds]);

/**
 * The pairs of users who share a channel. If both are in very many channels, their lookup takes long: `onFailure` is notified if it
 * fails, and the pair is left out. Without it, the error is thrown.
 */
export async function listShared(
  db: Db,
  pairs: readonly Pair[],
  onFailure?: (error: unknown) => void,
): Promise<SharedPair[]> {
  if (pairs.length === 0) return [];
  const found = (await readSchemas(db, listPairs, columnsOf(pairs, "viewerPk", "userPk"))).flat();
  const shared = found.filter(({ isShared }) => isShared);
  const known = new Set(shared.map(nameOf));
  const left = found.filter((pair) => pair.isShared === null && !known.has(nameOf(pair)));
  for (const [viewerPk, ofViewer] of Map.groupBy(left, (pair) => pair.viewerPk)) {
    for (let start = 0; start < ofViewer.length; start += largePairsPerRead) {
      const some = ofViewer.slice(start, start + largePairsPerRead);
      const userPks = some.map(({ userPk }) => userPk);
      try {
        const rows = (await readSchemas(db, listOfMany, [viewerPk, userPks])).flat();
        const sharing = new Set(rows.map(({ userPk }) => userPk));
        shared.push(...some.filter(({ userPk }) => sharing.has(userPk)));
      } catch (error) {
        if (onFailure === undefined) throw error;
        onFailure(error);
        // The others of this viewer would take as long.
        break;
      }
    }
  }
  return shared;
}

/** Each takes up to a lookup for each channel of the viewer, and the statement no longer than another one may. */
const largePairsPerRead = 10;

const nameOf = ({ viewerPk, userPk }: Pair) => `${viewerPk} ${userPk}`;

const list: Statement<StatusRow> = {
  name: "presence.list-statuses",
  text: `WITH running AS MATERIALIZED (${validLeases})
    SELECT u.pk AS "userPk", u.user_id AS "userId", ${isOnlineIn("running", "u.pk")} AS "isOnline", seen.last_seen_at AS "lastSeenAt"
    FROM unnest($1::text[]) WITH ORDINALITY AS asked (user_id, index)
    JOIN users u ON u.user_id = asked.user_id AND u.deleted_at IS NULL
    LEFT JOIN last_seen_times seen ON seen.user_pk = u.pk
    ORDER BY index`,
};

/** How many channels of a user are looked up at most. */
const maxChannels = 1_000;

const channelsOf = (userPk: string) => `(
          SELECT channel_pk FROM members WHERE user_pk = ${userPk}
          UNION ALL SELECT channel_pk FROM managers WHERE user_pk = ${userPk}) AS role
        JOIN channels c ON c.pk = role.channel_pk AND c.deleted_at IS NULL`;

const someOf = (userPk: string) => `ARRAY(SELECT c.pk FROM ${channelsOf(userPk)} LIMIT ${maxChannels})`;

/** OFFSET keeps PostgreSQL from turning a lookup into a read of all channels of a user. */
const hasRoleIn = (channelPk: string, userPk: string) => `(
          EXISTS (SELECT FROM members WHERE channel_pk = ${channelPk} AND user_pk = ${userPk} OFFSET 0)
          OR EXISTS (SELECT FROM managers WHERE channel_pk = ${channelPk} AND user_pk = ${userPk} OFFSET 0))`;

const isInOneOf = (channelPks: string, userPk: string) =>
  `EXISTS (SELECT FROM unnest(${channelPks}) AS c (pk) WHERE ${hasRoleIn("c.pk", userPk)})`;

// The channels of a viewer are read once, and each is looked up for each user. A viewer may be in very many channels: then those of each
// user are looked up.
const listPairs: Statement<FoundPair> = {
  name: "presence.list-shared",
  text: `SELECT * FROM (
      SELECT viewer.pk AS "viewerPk", asked.pk AS "userPk",
        ${hasBlocked("viewer.pk", "asked.pk")} OR ${hasBlocked("asked.pk", "viewer.pk")} AS "isBlocked",
        CASE WHEN cardinality(own.pks) < ${maxChannels} THEN ${isInOneOf("own.pks", "asked.pk")}
          WHEN cardinality(theirs.pks) < ${maxChannels} THEN ${isInOneOf("theirs.pks", "viewer.pk")} END AS "isShared"
      FROM (
        SELECT viewer_pk, array_agg(user_pk) FROM unnest($1::bigint[], $2::bigint[]) AS pair (viewer_pk, user_pk)
        GROUP BY viewer_pk) AS viewer (pk, user_pks)
      CROSS JOIN LATERAL (SELECT ${someOf("viewer.pk")} AS pks OFFSET 0) AS own
      CROSS JOIN unnest(viewer.user_pks) AS asked (pk)
      CROSS JOIN LATERAL (
        SELECT CASE WHEN cardinality(own.pks) >= ${maxChannels} THEN ${someOf("asked.pk")} END AS pks OFFSET 0) AS theirs
      OFFSET 0) AS pair
    WHERE "isShared" IS NOT FALSE`,
};

// For users who are in very many channels, like the viewer, whose channels are read once.
const listOfMany: Statement<Pick<Pair, "userPk">> = {
  name: "presence.list-shared-of-many",
  text: `WITH own AS MATERIALIZED (SELECT c.pk FROM ${channelsOf("$1::bigint")})
    SELECT asked.pk AS "userPk" FROM unnest($2::bigint[]) AS asked (pk)
    WHERE EXISTS (
        SELECT FROM own WHERE EXISTS (
          SELECT FROM members WHERE channel_pk = own.pk AND user_pk = asked.pk OFFSET 0))
      OR EXISTS (
        SELECT FROM managers m JOIN channels c ON c.pk = m.channel_pk AND c.deleted_at IS NULL
        WHERE m.user_pk = asked.pk AND ${hasRoleIn("c.pk", "$1::bigint")})`,
};
