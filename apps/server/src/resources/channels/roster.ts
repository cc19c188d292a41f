import type { Queryable } from "../../db/db";
import { defineHotWrite } from "../../idempotency/hot-write";
import type { Writer } from "../../idempotency/writer";
import { emit } from "../events/emit";
import { writeOrExplain } from "../write-or-explain";
import { endRolesOfDeletedUsers } from "./end-roles";
import { defineLookup, hasEntry, requireChannelAndUser } from "./lookup";

/** The participants or managers of a channel, with a count on the channel's row and a limit. */
export interface Roster {
  /** Adds a user unless the list is full. If the user is in the list already, nothing changes. */
  add(writer: Writer, channelId: string, userId: string, now: number): Promise<"in" | "full">;
  /** Removes a user, and returns whether the user was in the list. */
  remove(writer: Writer, channelId: string, userId: string): Promise<boolean>;
}

interface RosterOptions {
  /** The table of the entries. */
  readonly table: "members" | "managers";
  /** The column of `channels` that counts them. */
  readonly count: "member_count" | "manager_count";
  readonly max: number;
  /** What removing a user without an entry is: a change of nothing, or an error, for which no result is stored. */
  readonly absence: "ignored" | "rejected";
  readonly added: "member.joined" | "manager.added";
  readonly removed: "member.left" | "manager.removed";
  /** Further assignments to the channel when an entry is added; `locked` is the channel's locked row. */
  readonly history: string;
}

/**
 * Locks are always taken in this order: user, channel, entry. All values that are written to the channel are computed
 * from `locked`, the current row. The row that an UPDATE reads by itself may be older, and could violate a check
 * constraint before PostgreSQL notices the change.
 */
export function createRoster({ table, count, max, absence, added, removed, history }: RosterOptions): Roster {
  const about = { channelPk: "locked.pk", channelId: "$1", userPk: "locked.user_pk", userId: "$2" };
  // One row if the user is in the list now: below the limit, an entry that was not added existed before.
  const add = defineHotWrite<{ isIn: true }>(`${table}.add`, (guard) => ({
    ctes: `person AS (
        SELECT pk FROM {users} WHERE user_id = $2 AND deleted_at IS NULL AND ${guard} FOR KEY SHARE
      ), locked AS (
        SELECT c.*, person.pk AS user_pk FROM person, {channels} c
        WHERE c.channel_id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c
      ), added AS (
        INSERT INTO {${table}} (channel_pk, user_pk, joined_at)
        SELECT pk, user_pk, GREATEST(latest_at, $3) FROM locked WHERE ${count} < $4
        ON CONFLICT DO NOTHING RETURNING channel_pk
      ), counted AS (
        UPDATE {channels} c SET ${count} = locked.${count} + 1, latest_at = GREATEST(locked.latest_at, $3), ${history}
        FROM locked, added WHERE c.pk = locked.pk AND c.pk = added.channel_pk
      ), emitted AS (${emit(added, about, "locked, added")})`,
    result: `SELECT true AS "isIn" FROM locked WHERE ${count} < $4
      OR EXISTS (SELECT FROM {${table}} e WHERE e.channel_pk = locked.pk AND e.user_pk = locked.user_pk)`,
  }));

  // Until the sweeper removes them, entries of deleted users are in the count. The limit does not include them.
  const explain = defineLookup<{ isIn: boolean; entries: number; deleted: number }>(
    `${table}.explain`,
    `${hasEntry(table)} AS "isIn", c.${count} AS entries, (
        SELECT count(*) FROM {${table}} e JOIN {users} d ON d.pk = e.user_pk
        WHERE e.channel_pk = c.pk AND d.deleted_at IS NOT NULL) AS deleted`,
  );

  // One row when the channel and the user exist, and the user was in if absence is rejected.
  const remove = defineHotWrite<{ isRemoved: boolean }>(`${table}.remove`, (guard) => ({
    ctes: `locked AS (
        SELECT c.pk, c.${count}, u.pk AS user_pk FROM {channels} c, {users} u
        WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL AND ${guard}
        FOR NO KEY UPDATE OF c
      ), removed AS (
        DELETE FROM {${table}} entry USING locked
        WHERE entry.channel_pk = locked.pk AND entry.user_pk = locked.user_pk RETURNING entry.channel_pk
      ), counted AS (
        UPDATE {channels} c SET ${count} = locked.${count} - 1 FROM locked, removed
        WHERE c.pk = locked.pk AND c.pk = removed.channel_pk
      ), emitted AS (${emit(removed, about, "locked, removed")})`,
    result: `SELECT EXISTS (SELECT FROM removed) AS "isRemoved" FROM locked${absence === "rejected" ? ", removed" : ""}`,
  }));

  async function explainNotAdded(db: Queryable, channelId: string, userId: string) {
    const { isIn, entries, deleted } = await requireChannelAndUser(db, explain, channelId, userId);
    if (isIn) return "in";
    if (entries - deleted >= max) return "full";
    if (deleted > 0) await endRolesOfDeletedUsers(db, channelId);
    return undefined;
  }

  return {
    add: (writer, channelId, userId, now) =>
      writeOrExplain<"in" | "full">(
        async () =>
          (await writer.channel(channelId).write(add, [channelId, userId, now, max])).length > 0
            ? "in"
            : undefined,
        () => explainNotAdded(writer, channelId, userId),
      ),
    remove: (writer, channelId, userId) =>
      writeOrExplain<boolean>(
        async () => (await writer.channel(channelId).write(remove, [channelId, userId]))[0]?.isRemoved,
        async () => {
          const { isIn } = await requireChannelAndUser(writer, explain, channelId, userId);
          return absence === "ignored" || isIn ? undefined : false;
        },
      ),
  };
}
