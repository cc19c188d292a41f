import { limits } from "@madang/contract";
import type { Db, Statement } from "../../db/db";
import { itemsOf, type Joined, type Row } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { ActingUser } from "../../security/acting-user";
import { defineCommand, withLock } from "../../write/command";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import { endRolesOfDeletedUsers } from "../channels/end-roles-store";
import { lockBoth, lockChannelsFully } from "../channels/lock-store";
import { addToPair, endPair } from "../channels/pair";
import { checkOfRight } from "../channels/rights-store";
import { defineLookup, rejectUnknownChannel, requireChannelAndUser } from "../channels/store";
import { existsFor, hasFormerRole, hasRole } from "../channels/visibility";
import { emit } from "../emit";
import { hasRestriction, isNotSuspended, isStillNotBanned, mutedUntil } from "../restrictions/conditions";
import { userBanned, userSuspended } from "../restrictions/errors";
import { type UserRow, userColumns } from "../users/store";

/** The participants or the managers of channels. */
export interface Memberships {
  /** Oldest first. */
  list(db: Db, channelId: string, acting: ActingUser | undefined): Promise<ListedRow[]>;
  /** Adds a user. Changes nothing if the user is in the list already. */
  add(db: Db, writer: Writer, channelId: string, userId: string, now: number): Promise<void>;
  remove(writer: Writer, channelId: string, userId: string): Promise<void>;
}

/** The position of the newest message that is marked as read. Null while there is none. */
export interface ReadMark {
  readonly readAt: number | null;
  readonly readPk: number | null;
}

/** An entry of the list. A manager has no read mark. */
interface ListedRow extends MembershipRow, ReadMark {}

/** A participant or manager, with the time of joining. */
export interface MembershipRow extends UserRow, Row<"Member" | "Manager", "joinedAt"> {
  /** Null if the user is not muted. 0: permanently. */
  readonly mutedUntil: number | null;
}

interface Options {
  /** The table, the column of `channels` that counts its rows, and the error of the limit are named after it. */
  readonly noun: "member" | "manager";
  readonly max: number;
  /** In errors. */
  readonly plural: string;
  /** The columns of the read mark. */
  readonly readMark: string;
  /** Whether suspended users are rejected. */
  readonly isJoin: boolean;
  /** The error when a user to remove is not in the list. Undefined: nothing changes. */
  readonly absenceError?: "manager_not_found";
  readonly added: "member.joined" | "manager.added";
  readonly removed: "member.left" | "manager.removed";
  /** What the channel `c` keeps for `reuse` (see `pair.ts`) when the user `person` is added: assignments. */
  readonly pairAssignments: string;
}

const removal = { channel_id: "text", user_id: "text" };
const addition = { ...removal, now: "bigint" };
/** A change of a list counts its rows in the channel. */
const sharing = { group: ["channel_id"] } as const;

/** Locks are always taken in this order: user, channel, membership. */
function createMemberships(options: Options): Memberships {
  const { noun, max, plural, readMark, isJoin, absenceError, added, removed, pairAssignments } = options;
  const table = `${noun}s` as const;
  const count = `${noun}_count`;
  const about = { channelPk: "channel_pk", channelId: "channel_id", userPk: "user_pk", userId: "user_id" };

  /** Whether the user `u` may be added, apart from bans. */
  const isAdmitted = isJoin ? isNotSuspended("u") : "true";

  const list: Statement<Joined<ListedRow, "userId">> = {
    name: `${table}.list`,
    text: `SELECT entry.* FROM channels c LEFT JOIN LATERAL (
        SELECT joined_at AS "joinedAt", position, ${readMark}, ${userColumns}, ${mutedUntil} AS "mutedUntil"
        FROM ${table} JOIN users u ON u.pk = user_pk AND u.deleted_at IS NULL WHERE channel_pk = c.pk
      ) entry ON true
      WHERE channel_id = $1 AND c.deleted_at IS NULL AND ${existsFor("c.pk", "$2")}
      ORDER BY entry."joinedAt", entry.position`,
  };

  // One row if the user is in the list now. If another request added the user since the snapshot, the insertion fails, and with it the
  // statement: it then runs again.
  const add = defineCommand<{ isIn: true }, keyof typeof addition>(
    `${table}.add`,
    addition,
    `person AS (
        SELECT sent.*, u.pk FROM sent JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL AND ${isAdmitted}
        ORDER BY u.pk FOR KEY SHARE OF u
      ), target AS (
        SELECT person.*, c.pk AS channel_pk FROM person
        JOIN channels c ON c.channel_id = person.channel_id AND c.deleted_at IS NULL ORDER BY c.pk
      ), counted AS (
        UPDATE channels c SET ${count} = ${count} + 1, latest_at = GREATEST(latest_at, now), ${pairAssignments}
        FROM target person
        WHERE c.pk = person.channel_pk AND c.deleted_at IS NULL AND ${count} < ${max}
          AND ${isStillNotBanned("c", "person.pk")} AND NOT ${hasRole(table, "c.pk", "person.pk")}
          AND NOT ${hasFormerRole("c.pk", "person.user_id")}
        RETURNING ordinal, c.pk AS channel_pk, c.channel_id, person.pk AS user_pk, person.user_id, latest_at
      ), added AS (
        INSERT INTO ${table} (channel_pk, user_pk, joined_at) SELECT channel_pk, user_pk, latest_at FROM counted
      ), emitted AS (${emit(added, about, "counted")}), effect AS (
        SELECT ordinal, true AS "isIn" FROM counted
        UNION ALL SELECT ordinal, true FROM target WHERE ${hasRole(table, "target.channel_pk", "target.pk")}
      )`,
    { sharing },
  );
  const addLocked = withLock(add, { statement: lockBoth, columns: ["channel_id", "user_id"] });

  // One row when the channel and the user exist, and the user was in the list if absence is an error.
  // Sends and reactions that waited for the lock still see the membership in their snapshot: the new revision makes them run
  // again, so none takes effect after the user has left.
  const remove = defineCommand<{ isOut: true }, keyof typeof removal>(
    `${table}.remove`,
    removal,
    `named AS (
        SELECT sent.*, c.pk AS channel_pk, u.pk AS user_pk FROM sent
        JOIN channels c ON c.channel_id = sent.channel_id AND c.deleted_at IS NULL
        JOIN users u ON u.user_id = sent.user_id AND u.deleted_at IS NULL
      ), removed AS (
        DELETE FROM ${table} entry USING named
        WHERE entry.channel_pk = named.channel_pk AND entry.user_pk = named.user_pk RETURNING named.*
      ), counted AS (
        UPDATE channels c SET ${count} = ${count} - 1, moderation_revision = moderation_revision + 1
        FROM removed WHERE c.pk = removed.channel_pk
      ), emitted AS (${emit(removed, about, "removed")}), effect AS (
        SELECT ordinal, true AS "isOut" FROM ${absenceError === undefined ? "named" : "removed"}
      )`,
    { lock: { statement: lockChannelsFully, columns: ["channel_id"] }, sharing },
  );

  const explain = defineLookup<AdditionObstacles>(
    `${table}.explain`,
    `${hasRole(table, "c.pk", "u.pk")} AS "isIn", NOT (${isAdmitted}) AS "isSuspended",
      ${hasRestriction("bans", "c.pk", "u.pk")} AS "isBanned", ${liveCountOf(table, count)} AS entries`,
  );

  async function explainNotAdded(db: Db, channelId: string, userId: string) {
    const { isIn, isSuspended, isBanned, entries } = await requireChannelAndUser(
      db,
      explain,
      channelId,
      userId,
    );
    if (isIn) return { isIn };
    if (isSuspended) throw userSuspended(userId);
    if (isBanned) throw userBanned(userId, channelId);
    if (entries >= max)
      throw new ServiceError(
        `${noun}_limit_exceeded`,
        `The channel ${channelId} already has ${max} ${plural}, the maximum. Remove one first.`,
      );
    return undefined;
  }

  return {
    async list(db, channelId, acting) {
      const rows = await db.query(list, [channelId, acting?.userPk ?? null]);
      if (rows.length === 0) rejectUnknownChannel(channelId);
      return itemsOf(rows, "userId");
    },
    async add(db, writer, channelId, userId, now) {
      await writeOrExplain<{ isIn: boolean }>(
        async (attempt) => {
          const row = { channel_id: channelId, user_id: userId, now };
          if (attempt === 1) return writer.write(add, row);
          // The count includes memberships of deleted users until the sweeper removes them, the limit does not; and those of an earlier
          // user with this id end first. This is part of their deletion, not of the request, so it does not pass through the writer.
          await endRolesOfDeletedUsers(db, channelId);
          // Beside many deletions, the revision of the channel would change whenever the command waits for its row.
          return writer.write(addLocked, row);
        },
        () => explainNotAdded(writer.db, channelId, userId),
      );
    },
    async remove(writer, channelId, userId) {
      await writeOrExplain(
        () =>
          writer.write(
            remove,
            { channel_id: channelId, user_id: userId },
            checkOfRight(writer, { channelId }),
          ),
        async () => {
          const { isIn } = await requireChannelAndUser(writer.db, explain, channelId, userId);
          if (!isIn && absenceError !== undefined)
            throw new ServiceError(
              absenceError,
              `The user ${userId} is not a manager of the channel ${channelId}.`,
            );
          return undefined;
        },
      );
    },
  };
}

interface AdditionObstacles {
  readonly isIn: boolean;
  readonly isSuspended: boolean;
  readonly isBanned: boolean;
  readonly entries: number;
}

/** How many entries the channel `c` has, in SQL, without those of deleted users. */
export const liveCountOf = (table: string, count: string) =>
  `c.${count} - (SELECT count(*) FROM ${table} e JOIN users d ON d.pk = e.user_pk
        WHERE e.channel_pk = c.pk AND d.deleted_at IS NOT NULL)`;

export const members = createMemberships({
  noun: "member",
  max: limits.membersPerChannel,
  plural: "participants",
  readMark: 'read_created_at AS "readAt", read_pk AS "readPk"',
  isJoin: true,
  added: "member.joined",
  removed: "member.left",
  pairAssignments: addToPair("ARRAY[person.pk]"),
});

export const managers = createMemberships({
  noun: "manager",
  max: limits.managersPerChannel,
  plural: "managers",
  readMark: 'NULL::bigint AS "readAt", NULL::bigint AS "readPk"',
  isJoin: false,
  absenceError: "manager_not_found",
  added: "manager.added",
  removed: "manager.removed",
  pairAssignments: endPair,
});
