import type { Queryable, Statement } from "../../db/db";
import { requireStanding, type Standing } from "./standing";

/** A list of users that a channel keeps, with a count on the channel's row and a most that it may hold. */
export interface Roster {
  /** Adds a user, or finds that there is no place; one who is in already changes nothing. */
  add(db: Queryable, channelId: string, userId: string, now: number): Promise<"in" | "full">;
  /** Removes a user; tells whether there was one to remove. */
  remove(db: Queryable, channelId: string, userId: string): Promise<boolean>;
}

interface RosterPlan {
  /** The table of the entries. */
  readonly table: "members" | "managers";
  /** The column of `channels` that counts them. */
  readonly count: "member_count" | "manager_count";
  readonly most: number;
  /** What else the channel's row learns of a user who was added: assignments over `place`, the row as it is locked. */
  readonly learn: string;
  readonly isIn: (standing: Standing) => boolean;
}

/**
 * Locks are taken as everywhere: the user, the channel, the entry. All that is written to the channel is worked out
 * from `place`, which is the row as it is once locked: what an UPDATE reads by itself may be older, and would fail the
 * checks of the table before PostgreSQL notices.
 */
export function createRoster({ table, count, most, learn, isIn }: RosterPlan): Roster {
  const add: Statement<{ isAdded: boolean; isFull: boolean }> = {
    name: `${table}.add`,
    text: `WITH person AS (
        SELECT pk FROM users WHERE user_id = $2 AND deleted_at IS NULL FOR KEY SHARE
      ), place AS (
        SELECT c.*, person.pk AS user_pk FROM person, channels c
        WHERE c.channel_id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c
      ), added AS (
        INSERT INTO ${table} (channel_pk, user_pk, joined_at)
        SELECT pk, user_pk, $3 FROM place WHERE ${count} < $4
        ON CONFLICT DO NOTHING RETURNING channel_pk
      ), counted AS (
        UPDATE channels c SET ${count} = place.${count} + 1, ${learn}
        FROM place, added WHERE c.pk = place.pk AND c.pk = added.channel_pk RETURNING 1
      )
      SELECT EXISTS (SELECT FROM counted) AS "isAdded", ${count} >= $4 AS "isFull" FROM place`,
  };

  const remove: Statement<unknown> = {
    name: `${table}.remove`,
    text: `WITH place AS (
        SELECT c.pk, c.${count}, u.pk AS user_pk FROM channels c, users u
        WHERE c.channel_id = $1 AND c.deleted_at IS NULL AND u.user_id = $2 AND u.deleted_at IS NULL
        FOR NO KEY UPDATE OF c
      ), removed AS (
        DELETE FROM ${table} entry USING place
        WHERE entry.channel_pk = place.pk AND entry.user_pk = place.user_pk RETURNING entry.channel_pk
      )
      UPDATE channels c SET ${count} = place.${count} - 1 FROM place, removed
      WHERE c.pk = place.pk AND c.pk = removed.channel_pk RETURNING 1`,
  };

  const lock: Statement<unknown> = {
    name: `${table}.lock`,
    text: `WITH person AS (SELECT pk FROM users WHERE user_id = $2 AND deleted_at IS NULL FOR KEY SHARE)
      SELECT c.pk FROM person, channels c WHERE c.channel_id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c`,
  };

  return {
    async add(db, channelId, userId, now) {
      const tryOnce = (tx: Queryable) => tx.query(add, [channelId, userId, now, most]);
      const [place] = await tryOnce(db);
      if (place !== undefined && (place.isAdded || !place.isFull)) return "in";
      // Full, or something is missing. The second look is a statement of its own, which sees what came meanwhile, and
      // runs while nobody else can change the channel.
      return db.transaction(async (tx) => {
        await tx.query(lock, [channelId, userId]);
        if (isIn(await requireStanding(tx, channelId, userId))) return "in";
        const [again] = await tryOnce(tx);
        return again === undefined || again.isFull ? "full" : "in";
      });
    },
    async remove(db, channelId, userId) {
      const [removed] = await db.query(remove, [channelId, userId]);
      if (removed !== undefined) return true;
      await requireStanding(db, channelId, userId);
      return false;
    },
  };
}
