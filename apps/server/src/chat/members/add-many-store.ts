import { limits } from "@madang/contract";
import type { Db, Statement } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { endRolesOfDeletedUsers } from "../channels/end-roles-store";
import { lockUsersAndChannels } from "../channels/lock-store";
import { addToPair } from "../channels/pair";
import { rejectUnknownChannel } from "../channels/store";
import { hasFormerRole, hasRole } from "../channels/visibility";
import { emit } from "../emit";
import { hasRestriction, isNotSuspended } from "../restrictions/conditions";
import { userBanned, userSuspended } from "../restrictions/errors";
import { liveCountOf } from "./store";

/** User ids, in the order of the request. */
interface AddedMembers {
  readonly joined: readonly string[];
  readonly alreadyJoined: readonly string[];
}

const max = limits.membersPerChannel;

/**
 * Adds users to a channel, all or none. The users and the channel are locked first, so no other request changes what the later
 * statements read. These know them by their keys: a channel or user that was created since has the same id, but is not locked.
 */
export async function addMembers(
  db: Db,
  writer: Writer,
  channelId: string,
  userIds: readonly string[],
  now: number,
): Promise<AddedMembers> {
  let values: readonly unknown[] = [];
  return writeOrExplain(
    async (attempt) => {
      // The count includes memberships of deleted users until the sweeper removes them, the limit does not; and those of earlier users
      // with these ids end first. This is part of their deletion, not of the request, so it does not pass through the writer.
      if (attempt > 1) await endRolesOfDeletedUsers(db, channelId);
      return writer.writeAll(async (tx) => {
        const [locked] = await tx.query(lockUsersAndChannels, [[channelId], userIds]);
        values = [locked?.pk ?? null, userIds, locked?.userPks ?? []];
        return tx.query(add, [...values, now, max, channelId]);
      });
    },
    () => explainNotAdded(writer.db, channelId, values),
  );
}

async function explainNotAdded(db: Db, channelId: string, values: readonly unknown[]): Promise<undefined> {
  const [found] = await db.query(explain, values);
  if (found === undefined) return rejectUnknownChannel(channelId);
  const { unknownUsers, suspendedUser, bannedUser, entries, missing } = found;
  if (unknownUsers !== null)
    throw new ServiceError(
      "user_not_found",
      `Nobody was added to the channel ${channelId}. There is no user ${unknownUsers.join(", ")}.`,
    );
  if (suspendedUser !== null) throw userSuspended(suspendedUser);
  if (bannedUser !== null) throw userBanned(bannedUser, channelId);
  if (entries + missing > max)
    throw new ServiceError(
      "member_limit_exceeded",
      `Nobody was added to the channel ${channelId}. It has ${entries} participants; with ${missing} more it would exceed the maximum of ${max}.`,
    );
  return undefined;
}

// OFFSET makes PostgreSQL look up each user: it would otherwise read all bans and, with a plan from when there were few, all participants.
/** The users of the request that are locked, with whether they are participants already. */
const asked = `asked AS (
      SELECT c.pk AS channel_pk, u.pk AS user_pk, u.user_id, ordinal, facts.*
      FROM channels c CROSS JOIN unnest($2::text[]) WITH ORDINALITY AS wanted (id, ordinal)
      JOIN users u ON u.user_id = wanted.id AND u.deleted_at IS NULL AND u.pk = ANY ($3::bigint[])
      CROSS JOIN LATERAL (
        SELECT NOT (${isNotSuspended("u")}) AS is_suspended, ${hasRestriction("bans", "c.pk", "u.pk")} AS is_banned,
          ${hasRole("members", "c.pk", "u.pk")} AS is_in OFFSET 0) AS facts
      WHERE c.pk = $1::bigint AND c.deleted_at IS NULL
    ), missing AS (
      SELECT * FROM asked WHERE NOT is_in
    )`;

const add: Statement<AddedMembers> = {
  name: "members.add-many",
  text: `WITH ${asked}, permitted AS (
      SELECT c.* FROM channels c WHERE c.pk = $1 AND c.deleted_at IS NULL
        AND (SELECT count(*) FROM asked) = cardinality($2)
        AND NOT EXISTS (SELECT FROM missing WHERE is_banned OR is_suspended OR ${hasFormerRole("channel_pk", "missing.user_id")})
        AND c.member_count + (SELECT count(*) FROM missing) <= $5
    ), added AS (
      INSERT INTO members (channel_pk, user_pk, joined_at)
      SELECT permitted.pk, user_pk, GREATEST(latest_at, $4::bigint) FROM permitted, missing ORDER BY ordinal
      RETURNING user_pk
    ), counted AS (
      UPDATE channels c SET member_count = permitted.member_count + (SELECT count(*) FROM added),
        latest_at = GREATEST(permitted.latest_at, $4::bigint), ${addToPair("ARRAY(SELECT user_pk FROM missing ORDER BY ordinal)")}
      FROM permitted WHERE c.pk = permitted.pk AND EXISTS (SELECT FROM missing)
    ), emitted AS (${emit(
      "member.joined",
      { channelPk: "channel_pk", channelId: "$6", userPk: "user_pk", userId: "user_id" },
      "(SELECT missing.* FROM missing, permitted ORDER BY ordinal) AS joined",
    )})
    SELECT (SELECT COALESCE(json_agg(user_id ORDER BY ordinal), '[]') FROM asked WHERE NOT is_in) AS joined,
      (SELECT COALESCE(json_agg(user_id ORDER BY ordinal), '[]') FROM asked WHERE is_in) AS "alreadyJoined"
    FROM permitted`,
};

interface AdditionObstacles {
  /** Null if all exist. */
  readonly unknownUsers: readonly string[] | null;
  /** A user who is not a participant yet. Null if there is none. */
  readonly suspendedUser: string | null;
  readonly bannedUser: string | null;
  readonly entries: number;
  /** The number of users to add. */
  readonly missing: number;
}

/** No row: the channel does not exist. */
const explain: Statement<AdditionObstacles> = {
  name: "members.explain-many",
  text: `WITH ${asked}
    SELECT (SELECT json_agg(id ORDER BY ordinal) FROM unnest($2::text[]) WITH ORDINALITY AS wanted (id, ordinal)
        WHERE id NOT IN (SELECT user_id FROM asked)) AS "unknownUsers",
      (SELECT user_id FROM missing WHERE is_suspended ORDER BY ordinal LIMIT 1) AS "suspendedUser",
      (SELECT user_id FROM missing WHERE is_banned ORDER BY ordinal LIMIT 1) AS "bannedUser",
      ${liveCountOf("members", "member_count")} AS entries, (SELECT count(*) FROM missing) AS missing
    FROM channels c WHERE c.pk = $1 AND c.deleted_at IS NULL`,
};
