import { limits } from "@madang/contract";
import { lockUsers, rejectUnknownUser } from "../../chat/users/store";
import { type Database, defineLock, type Statement } from "../../db/db";
import type { Row } from "../../db/row";
import { ServiceError } from "../../errors/service-error";
import type { StoredKey } from "../../security/key-ring";
import { type KeyMaker, keyIdPrefix } from "../../security/secret";
import type { Writer } from "../../write/writer";

export interface SubKey extends Pick<Row<"SubKey">, "label" | "scopes" | "createdAt" | "expiresAt"> {
  readonly key: string;
  /** The user as whom the key acts. Null for a key of the application. */
  readonly userId: string | null;
  readonly lastUsedAt?: number | null;
}

interface NewSubKey {
  readonly userId: string | undefined;
  readonly label: string | undefined;
  /** Empty for a key without scopes. */
  readonly scopes: readonly string[];
  readonly expiresAt: number | undefined;
  readonly createdAt: number;
}

export async function listSubKeys(db: Database, keyMaker: KeyMaker): Promise<SubKey[]> {
  const rows = await db.query(list, [keyMaker.masterId]);
  return Promise.all(rows.map(async (row) => ({ ...row, key: await keyMaker.open(row.sealed) })));
}

/** Creates a sub key. Creates in all processes wait for each other, so that two cannot both count nine keys. */
export async function createSubKey(
  writer: Writer,
  keyMaker: KeyMaker,
  { userId, label, scopes, expiresAt, createdAt }: NewSubKey,
): Promise<SubKey> {
  const made = keyMaker.make();
  const stored = [keyMaker.masterId, keyMaker.digest(made), keyMaker.seal(made)];
  const [created] = await writer.writeAll(async (tx) => {
    // The user first, as everywhere. Its deletion waits, and then ends the key.
    const [user] = userId === undefined ? [] : await tx.query(lockUsers, [[userId]]);
    if (userId !== undefined && user === undefined) rejectUnknownUser(userId);
    await tx.query(lock);
    const of = [label ?? null, scopes, createdAt, expiresAt ?? null, limits.subKeys];
    const values = [...stored, ...of, user?.pk ?? null, userId ?? null];
    return withKeyId(await tx.query(insert, values), keyMaker.idOf(made));
  }, ofKey);
  if (created === undefined)
    throw new ServiceError(
      "key_limit_exceeded",
      `There are already ${limits.subKeys} sub keys, the maximum. Delete one first.`,
    );
  // With an idempotency key, it may be the key of an earlier request.
  return { ...created, key: await keyMaker.open(Buffer.from(created.sealed, "base64")) };
}

export async function deleteSubKey(writer: Writer, keyMaker: KeyMaker, key: string): Promise<void> {
  const [deleted] = await writer.writeAll(
    async (tx) =>
      withKeyId(await tx.query(remove, [keyMaker.masterId, keyMaker.digest(key)]), keyMaker.idOf(key)),
    ofKey,
  );
  if (deleted !== undefined) return;
  const detail = key.startsWith(keyIdPrefix)
    ? "This is a key_id. Send the key itself, which the list of sub keys contains."
    : "There is no such sub key. It may have been deleted already.";
  throw new ServiceError("key_not_found", detail);
}

/** For the audit entry: the id of the key is computed from the key, which is not stored in clear text. */
const ofKey = { subject: "keyId" };
const withKeyId = <Each>(rows: readonly Each[], keyId: string) => rows.map((row) => ({ ...row, keyId }));

/** All keys that are not deleted, nor their users, as authentication needs them. A label reaches the log, so keys in it are masked. */
export async function listStoredKeys(db: Database, keyMaker: KeyMaker): Promise<StoredKey[]> {
  const rows = await db.query(list, [keyMaker.masterId]);
  const valid = rows.filter(({ isUserDeleted }) => !isUserDeleted);
  return valid.map(({ digest, label, scopes, expiresAt, userId, userPk }) => ({
    digest: digest.toString("base64"),
    label: label === null ? undefined : keyMaker.mask(label),
    scopes: scopes.length > 0 ? scopes : undefined,
    expiresAt: expiresAt ?? undefined,
    user: userId === null || userPk === null ? undefined : { userId, userPk },
  }));
}

/** Stores when a key was last used, unless a later use is stored already. */
export async function recordUse(db: Database, digest: string, usedAt: number): Promise<void> {
  await db.prisma.subKey.updateMany({
    where: {
      digest: Buffer.from(digest, "base64"),
      OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: usedAt } }],
    },
    data: { lastUsedAt: usedAt },
  });
}

interface StoredSubKey extends Omit<SubKey, "key">, Row<"SubKey", "digest" | "sealed" | "userPk"> {
  readonly isUserDeleted: boolean;
}

const list: Statement<StoredSubKey> = {
  name: "keys.list",
  text: `SELECT digest, sealed, label, scopes, k.created_at AS "createdAt", expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt", user_pk AS "userPk", u.user_id AS "userId", u.deleted_at IS NOT NULL AS "isUserDeleted"
    FROM sub_keys k LEFT JOIN users u ON u.pk = k.user_pk WHERE master_id = $1 ORDER BY k.created_at, k.pk`,
};

const lock = defineLock("keys.lock", "'madang sub keys'");

// The key is returned sealed, because with an idempotency key, the returned row is stored.
const insert: Statement<{ sealed: string } & Omit<SubKey, "key">> = {
  name: "keys.insert",
  text: `INSERT INTO sub_keys (master_id, digest, sealed, label, scopes, created_at, expires_at, user_pk)
    SELECT $1::bytea, $2::bytea, $3::bytea, $4::text, $5::text[], $6::bigint, $7::bigint, $9::bigint
    WHERE (SELECT count(*) FROM sub_keys WHERE master_id = $1::bytea) < $8
    RETURNING encode(sealed, 'base64') AS sealed, label, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
      $10::text AS "userId"`,
};

const remove: Statement<{ pk: number }> = {
  name: "keys.delete",
  text: "DELETE FROM sub_keys WHERE master_id = $1 AND digest = $2 RETURNING pk",
};
