import { lockUsersFully, rejectUnknownUser } from "../../chat/users/store";
import { type Db, databaseNow, type Statement } from "../../db/db";
import { defineSweep } from "../../db/sweep-old";
import type { LoadedRevocations } from "../../security/revocations";
import type { Writer } from "../../write/writer";
import { removeDevicesOf } from "../push/devices-store";

/** The key of a user, and its last revocation, for a new token. */
export async function requireTokenUser(
  db: Db,
  userId: string,
): Promise<{ readonly userPk: number; readonly revocation: number }> {
  const [user] = await db.query(find, [userId]);
  return user ?? rejectUnknownUser(userId);
}

/** Ends all tokens that were created for a user so far, and removes its devices. The lock puts the revocations of a user in the order of their keys. */
export async function revokeTokens(writer: Writer, userId: string): Promise<void> {
  const [revoked] = await writer.writeAll(async (tx) => {
    await tx.query(lockUsersFully, [[userId]]);
    const revoked = await tx.query(revoke, [userId]);
    await removeDevicesOf(
      tx,
      revoked.map(({ userPk }) => userPk),
    );
    return revoked;
  });
  if (revoked === undefined) rejectUnknownUser(userId);
}

/** When the tokens of a revocation have expired. An hour more, because clocks differ. */
const inForceMs = 25 * 3_600_000;

/** The revocations in force of no earlier transaction than the given one. */
export async function listRevocations(db: Db, since: number): Promise<LoadedRevocations> {
  const rows = await db.query(list, [since, inForceMs]);
  const revocations = rows.flatMap(({ pk, userPk }) =>
    pk === null || userPk === null ? [] : [{ pk, userPk }],
  );
  return { horizon: rows[0]?.horizon ?? 0, revocations };
}

/** Two hours more: a process has each revocation for up to an hour after that, and a new token has to name it for so long. */
const keptMs = inForceMs + 2 * 3_600_000;
const sweep = defineSweep("tokens.sweep-revocations", "token_revocations", "pk");

/** Removes revocations that no process has any more, and returns whether more may remain. */
export const sweepRevocations = (db: Db): Promise<boolean> => sweep([db], keptMs);

const find: Statement<{ readonly userPk: number; readonly revocation: number }> = {
  name: "tokens.find-user",
  text: `SELECT pk AS "userPk", COALESCE((
      SELECT max(r.pk) FROM token_revocations r WHERE r.user_pk = u.pk), 0) AS revocation
    FROM users u WHERE user_id = $1 AND deleted_at IS NULL`,
};

const revoke: Statement<{ readonly userPk: number }> = {
  name: "tokens.revoke",
  text: `INSERT INTO token_revocations (user_pk) SELECT pk FROM users WHERE user_id = $1 AND deleted_at IS NULL
    RETURNING user_pk AS "userPk"`,
};

const list: Statement<{
  readonly horizon: number;
  readonly pk: number | null;
  readonly userPk: number | null;
}> = {
  name: "tokens.list-revocations",
  text: `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS horizon, r.pk, r.user_pk AS "userPk"
    FROM (SELECT) AS one LEFT JOIN token_revocations r ON r.transaction_id >= $1
      AND r.created_at >= ${databaseNow} - $2::bigint`,
};
