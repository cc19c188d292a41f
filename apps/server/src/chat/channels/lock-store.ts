import type { Statement, Tx } from "../../db/db";
import type { Row } from "../../db/row";
import type { Locked } from "../../write/command";

const byId = "SELECT pk FROM channels WHERE channel_id = $1 AND deleted_at IS NULL";

/** Locks a channel against other changes of it, of its messages and of its memberships. */
export const lockChannel: Statement<Row<"Channel", "pk">> = {
  name: "channels.lock",
  text: `${byId} FOR NO KEY UPDATE`,
};

/** The same for channels, as the lock of a command. */
export const lockChannels: Statement<Locked> = {
  name: "channels.lock-many",
  text: lockByIds("FOR NO KEY UPDATE"),
};

/**
 * The same for what takes something away. Only FOR UPDATE waits for reactions, which lock the channel FOR KEY SHARE: later ones see
 * the change.
 */
export const lockChannelsFully: Statement<Locked> = {
  name: "channels.lock-fully",
  text: lockByIds("FOR UPDATE"),
};

function lockByIds(mode: string): string {
  return `SELECT 1 AS position, channel_id AS id FROM channels
    WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL ORDER BY pk ${mode}`;
}

/** Locks channels with the users of an addition or a removal, as the locks of commands. */
export const lockBoth: Statement<Locked> = {
  name: "channels.lock-both",
  text: lockWithUsers("FOR NO KEY UPDATE"),
};
export const lockBothFully: Statement<Locked> = {
  name: "channels.lock-both-fully",
  text: lockWithUsers("FOR UPDATE"),
};

// The condition with the count is always true: it makes PostgreSQL lock the users first.
function lockWithUsers(mode: string): string {
  return `WITH people AS (
      SELECT user_id FROM users WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL ORDER BY pk FOR KEY SHARE
    ), places AS (
      SELECT channel_id FROM channels
      WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL AND (SELECT count(*) FROM people) >= 0
      ORDER BY pk ${mode}
    )
    SELECT 1 AS position, channel_id AS id FROM places UNION ALL SELECT 2, user_id FROM people`;
}

/**
 * Locks users, then channels, each in the order of their keys, so that requests do not deadlock. The condition with the count is always
 * true: it makes PostgreSQL lock the users first. Ids that are null or unknown are ignored.
 */
export const lockUsersAndChannels: Statement<LockedWithUsers> = {
  name: "channels.lock-with-users",
  text: `WITH people AS (
      SELECT pk FROM users WHERE user_id = ANY ($2::text[]) AND deleted_at IS NULL ORDER BY pk FOR KEY SHARE
    )
    SELECT pk, (SELECT json_agg(pk) FROM people) AS "userPks" FROM channels
    WHERE channel_id = ANY ($1::text[]) AND deleted_at IS NULL AND (SELECT count(*) FROM people) >= 0
    ORDER BY pk FOR NO KEY UPDATE`,
};

interface LockedWithUsers extends Row<"Channel", "pk"> {
  /** The locked users. Null if there are none. */
  readonly userPks: readonly number[] | null;
}

interface LockedChannel {
  readonly pk: number;
  /** Whether its messages must stay. */
  readonly isHeld: boolean;
}

/**
 * Locks the channels that no other transaction has locked. If there are none, waits for one: a step that waits must not hold
 * locks on other channels.
 */
export async function lockSome(tx: Tx, channels: readonly number[]): Promise<readonly LockedChannel[]> {
  const free = await tx.query(lockFree, [channels]);
  return free.length > 0 ? free : tx.query(lockOne, [channels[0]]);
}

// The hold of a deleted channel cannot end any more, so it is ignored.
export const isHeld = "is_held AND deleted_at IS NULL";

const lockFree: Statement<LockedChannel> = {
  name: "channels.lock-free",
  text: `SELECT pk, ${isHeld} AS "isHeld" FROM channels WHERE pk = ANY ($1::bigint[])
    ORDER BY pk FOR NO KEY UPDATE SKIP LOCKED`,
};

/** Waits for the lock. */
export const lockOne: Statement<LockedChannel> = {
  name: "channels.lock-one",
  text: `SELECT pk, ${isHeld} AS "isHeld" FROM channels WHERE pk = $1 FOR NO KEY UPDATE`,
};
