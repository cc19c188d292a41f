import { limits } from "@madang/contract";
import type { Db, Queryable, Statement } from "../../db/db";
import { defineWrite } from "../../db/keyed-write";
import { rowOf } from "../../db/row";
import { ServiceError } from "../../errors";
import type { KeyMaker } from "../../security/secret";

export interface SubKey {
  readonly key: string;
  readonly createdAt: number;
}

export async function listSubKeys(db: Db, keyMaker: KeyMaker): Promise<SubKey[]> {
  const rows = await db.prisma.subKey.findMany({
    where: belongsTo(keyMaker),
    orderBy: [{ createdAt: "asc" }, { pk: "asc" }],
  });
  return rows.map(rowOf).map(({ sealed, createdAt }) => ({ key: keyMaker.open(sealed), createdAt }));
}

/** Creates a sub key. Creates in all processes wait for each other, so that two cannot both count nine keys. */
export function createSubKey(db: Queryable, keyMaker: KeyMaker, now: number): Promise<SubKey> {
  const { masterId } = keyMaker;
  return db.transaction(async (tx) => {
    await tx.query(lock);
    const key = keyMaker.make();
    const values = [masterId, keyMaker.digest(key), keyMaker.seal(key), now, limits.subKeys];
    const [created] = await tx.write(insert, values);
    if (created === undefined)
      throw new ServiceError(
        "key_limit_exceeded",
        `There are already ${limits.subKeys} sub keys, the maximum. Delete one first.`,
      );
    return { key: keyMaker.open(Buffer.from(created.sealed, "base64")), createdAt: created.createdAt };
  });
}

export async function deleteSubKey(db: Queryable, keyMaker: KeyMaker, key: string): Promise<void> {
  const [deleted] = await db.write(remove, [keyMaker.masterId, keyMaker.digest(key)]);
  if (deleted === undefined)
    throw new ServiceError("key_not_found", "There is no such sub key. It may have been deleted already.");
}

/** The digests of all valid keys. */
export async function listDigests(db: Db, keyMaker: KeyMaker): Promise<string[]> {
  const rows = await db.prisma.subKey.findMany({ where: belongsTo(keyMaker), select: { digest: true } });
  return rows.map(rowOf).map(({ digest }) => digest.toString("base64"));
}

const belongsTo = ({ masterId }: KeyMaker) => ({ masterId: new Uint8Array(masterId) });

const lock: Statement<unknown> = {
  name: "keys.lock",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('madang sub keys', 0))",
};

// The key is returned sealed, because with an idempotency key, the returned row is stored.
const insert = defineWrite<{ sealed: string; createdAt: number }>("keys.insert", (guard) => ({
  result: `INSERT INTO sub_keys (master_id, digest, sealed, created_at)
    SELECT $1::bytea, $2::bytea, $3::bytea, $4::bigint
    WHERE (SELECT count(*) FROM sub_keys WHERE master_id = $1::bytea) < $5 AND ${guard}
    RETURNING encode(sealed, 'base64') AS sealed, created_at AS "createdAt"`,
}));

const remove = defineWrite<{ pk: number }>("keys.delete", (guard) => ({
  result: `DELETE FROM sub_keys WHERE master_id = $1 AND digest = $2 AND ${guard} RETURNING pk`,
}));
