import { limits } from "@madang/contract";
import type { Db, Queryable, Statement } from "../../db/db";
import { ServiceError } from "../../errors";
import type { KeyMaker } from "../../security/secret";

export interface SubKey {
  readonly key: string;
  readonly createdAt: number;
}

export async function listSubKeys(db: Db, keyMaker: KeyMaker): Promise<SubKey[]> {
  const rows = await db.prisma.subKey.findMany({
    where: { masterId: new Uint8Array(keyMaker.masterId) },
    orderBy: [{ createdAt: "asc" }, { pk: "asc" }],
  });
  return rows.map(({ sealed, createdAt }) => ({ key: keyMaker.open(sealed), createdAt: Number(createdAt) }));
}

/** Makes a sub key. Creates wait for each other on every process, so that no two count nine keys at once. */
export function createSubKey(db: Queryable, keyMaker: KeyMaker, now: number): Promise<SubKey> {
  return db.transaction(async (tx) => {
    await tx.query(lock);
    const [{ count } = { count: 0 }] = await tx.query(countKeys, [keyMaker.masterId]);
    if (count >= limits.subKeys)
      throw new ServiceError(
        "key_limit_exceeded",
        `All ${limits.subKeys} sub keys exist already. Delete one that is not used any more.`,
      );
    const key = keyMaker.make();
    await tx.query(insert, [keyMaker.masterId, keyMaker.digest(key), keyMaker.seal(key), now]);
    return { key, createdAt: now };
  });
}

export async function deleteSubKey(db: Queryable, keyMaker: KeyMaker, key: string): Promise<void> {
  const [deleted] = await db.query(remove, [keyMaker.masterId, keyMaker.digest(key)]);
  if (deleted === undefined)
    throw new ServiceError("key_not_found", "There is no such sub key. It may have been deleted already.");
}

/** The digests of all keys that are valid now. */
export async function listDigests(db: Queryable, keyMaker: KeyMaker): Promise<string[]> {
  const rows = await db.query(list, [keyMaker.masterId]);
  return rows.map(({ digest }) => digest.toString("base64"));
}

const lock: Statement<unknown> = {
  name: "keys.lock",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('madang sub keys', 0))",
};

const countKeys: Statement<{ count: number }> = {
  name: "keys.count",
  text: "SELECT count(*) AS count FROM sub_keys WHERE master_id = $1",
};

const insert: Statement<unknown> = {
  name: "keys.insert",
  text: "INSERT INTO sub_keys (master_id, digest, sealed, created_at) VALUES ($1, $2, $3, $4)",
};

const remove: Statement<unknown> = {
  name: "keys.delete",
  text: "DELETE FROM sub_keys WHERE master_id = $1 AND digest = $2 RETURNING pk",
};

const list: Statement<{ digest: Buffer }> = {
  name: "keys.list-digests",
  text: "SELECT digest FROM sub_keys WHERE master_id = $1",
};
