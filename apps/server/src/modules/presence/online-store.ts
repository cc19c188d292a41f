import type { ErasureStep } from "../../chat/erasure";
import { type Db, databaseNow, type Statement, type Tx } from "../../db/db";
import { columnsOf, type Row } from "../../db/row";

/** How long users stay online after their last client has disconnected, so that it can reconnect. */
export const leaveMs = 10_000;
/** How often a process renews its lease. */
export const renewMs = 15_000;
/** How long a lease is valid. The users of a process that was killed are offline when it ends. */
const leaseMs = renewMs + leaveMs;

/** Renews the lease of a process, by which all of its users stay online. Returns whether it still had one. */
export async function renewLease(db: Db, processId: string): Promise<boolean> {
  return (await db.query(renew, [processId, leaseMs])).length > 0;
}

/** Creates the lease of a process, which then has to enter all its users. */
export async function createLease(db: Db, processId: string): Promise<void> {
  await db.query(create, [processId, leaseMs]);
}

/** Enters users of a process. Returns whether it has a lease: without one, nothing is stored. */
export async function addOnlineUsers(
  db: Db,
  processId: string,
  userPks: readonly number[],
): Promise<boolean> {
  const [added] = await db.query(add, [processId, userPks]);
  return added?.hasLease === true;
}

/** Removes users of a process who have left it. */
export async function removeOnlineUsers(
  db: Db,
  processId: string,
  userPks: readonly number[],
  storesLastSeen: boolean,
): Promise<void> {
  await db.query(remove, [processId, userPks, storesLastSeen]);
}

/** Shortens the lease of a process that stops: its users stay online as if they had disconnected now. */
export async function shortenLease(db: Db, processId: string): Promise<void> {
  await db.query(shorten, [processId, leaveMs]);
}

/** Removes the users of processes that have not renewed their leases, and returns their ids. */
export async function endLeases(db: Db, storesLastSeen: boolean): Promise<string[]> {
  const [expired] = await db.query(findExpired);
  if (expired?.hasAny !== true) return [];
  return db.transaction(async (tx) => {
    const ended = await tx.query(removeExpired);
    if (ended.length === 0) return [];
    // After the deletion of the lease: while this waited for its lock, the process may have entered users.
    const removed = await tx.query(removeLeft, [
      ...columnsOf(ended, "processId", "expiresAt"),
      storesLastSeen,
    ]);
    return removed.map(({ userId }) => userId);
  });
}

/** Removes what is stored about when users were online. */
export async function removeLastSeen(tx: Tx, userPks: readonly number[]): Promise<void> {
  await tx.query(removeOf, [userPks]);
}

export async function eraseLastSeen(tx: Tx, userPks: readonly number[]): Promise<ErasureStep> {
  await removeLastSeen(tx, userPks);
  return { next: undefined };
}

/** SQL: the processes whose users are online. */
export const validLeases = `SELECT process_id FROM presence_leases WHERE expires_at > ${databaseNow}`;

/** SQL: whether a user is online at one of the processes in a table of `validLeases`. OFFSET makes PostgreSQL look up the user. */
export const isOnlineIn = (leases: string, userPk: string) => `EXISTS (
  SELECT FROM online_users o JOIN ${leases} l ON l.process_id = o.process_id WHERE o.user_pk = ${userPk} OFFSET 0)`;

const renew: Statement<unknown> = {
  name: "presence.renew-lease",
  text: `UPDATE presence_leases SET expires_at = ${databaseNow} + $2::bigint WHERE process_id = $1 RETURNING 1`,
};

const create: Statement<unknown> = {
  name: "presence.create-lease",
  text: `INSERT INTO presence_leases (process_id, expires_at) VALUES ($1, ${databaseNow} + $2::bigint)
    ON CONFLICT (process_id) DO UPDATE SET expires_at = excluded.expires_at`,
};

// Locks the lease, so that `endLeases` waits for this, and then also removes these users.
const add: Statement<{ readonly hasLease: boolean }> = {
  name: "presence.add",
  text: `WITH lease AS MATERIALIZED (SELECT process_id FROM presence_leases WHERE process_id = $1 FOR KEY SHARE), added AS (
      INSERT INTO online_users (user_pk, process_id)
      SELECT pk, process_id FROM lease, unnest($2::bigint[]) AS pk ON CONFLICT DO NOTHING
    )
    SELECT EXISTS (SELECT FROM lease) AS "hasLease"`,
};

/**
 * Stores when users were online, in the order of their keys. `seen` is a table of keys and times. Locks the users, so that a deletion
 * comes before, and is seen, or after, and removes what this has stored.
 */
const storeLastSeen = (seen: string) => `INSERT INTO last_seen_times (user_pk, last_seen_at)
      SELECT u.pk, seen.at / 60000 * 60000
      FROM (SELECT user_pk, max(at) AS at FROM ${seen} AS each (user_pk, at) GROUP BY user_pk) AS seen
      JOIN users u ON u.pk = seen.user_pk AND u.deleted_at IS NULL ORDER BY u.pk FOR KEY SHARE OF u
      ON CONFLICT (user_pk) DO UPDATE SET last_seen_at = GREATEST(last_seen_times.last_seen_at, excluded.last_seen_at)`;

const remove: Statement<unknown> = {
  name: "presence.remove",
  text: `WITH removed AS (
      DELETE FROM online_users WHERE process_id = $1 AND user_pk = ANY ($2::bigint[]) RETURNING user_pk
    )
    ${storeLastSeen(`(SELECT user_pk, ${databaseNow} - ${leaveMs} FROM removed WHERE $3::boolean)`)}`,
};

const shorten: Statement<unknown> = {
  name: "presence.shorten-lease",
  text: `UPDATE presence_leases SET expires_at = LEAST(expires_at, ${databaseNow} + $2::bigint) WHERE process_id = $1`,
};

const findExpired: Statement<{ readonly hasAny: boolean }> = {
  name: "presence.find-expired",
  text: `SELECT EXISTS (SELECT FROM presence_leases WHERE expires_at <= ${databaseNow}) AS "hasAny"`,
};

const removeExpired: Statement<Row<"PresenceLease">> = {
  name: "presence.remove-expired",
  text: `DELETE FROM presence_leases WHERE expires_at <= ${databaseNow}
    RETURNING process_id AS "processId", expires_at AS "expiresAt"`,
};

const removeLeft: Statement<{ readonly userId: string }> = {
  name: "presence.remove-left",
  text: `WITH removed AS (
      DELETE FROM online_users o WHERE NOT EXISTS (SELECT FROM presence_leases l WHERE l.process_id = o.process_id)
      RETURNING user_pk, process_id
    ), stored AS (
      ${storeLastSeen(`(SELECT user_pk, ended.expires_at - ${leaveMs}
        FROM removed JOIN unnest($1::text[], $2::bigint[]) AS ended (process_id, expires_at)
          ON ended.process_id = removed.process_id WHERE $3::boolean)`)}
    )
    SELECT DISTINCT user_id AS "userId" FROM removed JOIN users u ON u.pk = removed.user_pk`,
};

const removeOf: Statement<unknown> = {
  name: "presence.remove-last-seen",
  text: "DELETE FROM last_seen_times WHERE user_pk = ANY ($1::bigint[])",
};
