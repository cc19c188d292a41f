import { hkdfSync } from "node:crypto";
import { type Db, defineLock, type Statement, type Tx } from "../db/db";
import type { Row } from "../db/row";
import { SettingError } from "../errors/service-error";
import { openWithAny, seal } from "./seal";

/** What sub keys and stored secrets depend on. The database has a copy for each accepted master key, encrypted with it. */
export interface KeySet {
  /** The first master key of the database. Marks and digests derive from it, so that sub keys survive a change. */
  readonly root: string;
  /** Keys that encrypt stored texts, the newest first. The older ones only decrypt. */
  readonly sealKeys: readonly Buffer[];
}

export interface MasterKeys {
  readonly current: string;
  /** Accepted as well, while the master key is being changed. */
  readonly previous?: string | undefined;
}

type RandomBytes = (length: number) => Buffer;
type Copy = Row<"Secret">;

/** The key set of a database on which no other master key was used before. */
export function firstKeySet(masterKey: string): KeySet {
  return { root: masterKey, sealKeys: [deriveKey(masterKey, "seal")] };
}

/**
 * Opens the key set with the current or the previous master key, and stores a copy under the current one. A start
 * without a previous key ends the change: it deletes the copies of older master keys and creates a new seal key, which
 * none of them can decrypt. A process with an older master key that starts in between changes nothing.
 */
export function openKeySet(db: Db, keys: MasterKeys, randomBytes: RandomBytes): Promise<KeySet> {
  const { current, previous } = keys;
  return db.transaction(async (tx) => {
    await tx.query(lock);
    const copies = await tx.query(list);
    const own = openCopy(current, copies);
    const inherited = previous === undefined ? undefined : openCopy(previous, copies);
    const newest = Math.max(0, ...copies.map(generationOf));
    const isNewest = own !== undefined && own.generation === newest;
    const store = async (keySet: KeySet, generation: number) => {
      await tx.query(save, [nameOf(current), sealCopy(current, keySet, generation, randomBytes)]);
      return keySet;
    };

    if (copies.length === 0) return store(await chooseFirst(tx, keys), 1);
    if (inherited !== undefined && !isNewest) return store(inherited.keySet, newest + 1);
    if (own === undefined) throw wrongMasterKey();
    if (previous !== undefined || copies.length === 1 || !isNewest) return own.keySet;
    await tx.query(removeOthers, [nameOf(current)]);
    const { root, sealKeys } = own.keySet;
    return store({ root, sealKeys: [randomBytes(32), ...sealKeys] }, newest);
  });
}

/** The key set as it is now, after another process may have changed it. */
export async function reloadKeySet(db: Db, masterKey: string): Promise<KeySet> {
  const own = openCopy(masterKey, await db.query(list));
  if (own === undefined)
    throw new Error(
      "The master key of this database was changed after this process started. Start it again with the new MADANG_MASTER_KEY.",
    );
  return own.keySet;
}

/** Before the first start there is no copy. Sub keys of an earlier version belong to the master key that created them. */
async function chooseFirst(tx: Tx, { current, previous = current }: MasterKeys): Promise<KeySet> {
  const owners = await tx.query(listOwners);
  const root = [previous, current].find((masterKey) =>
    owners.some(({ masterId }) => masterId.equals(deriveKey(masterKey, "master id", 16))),
  );
  if (root === undefined && owners.length > 0) throw wrongMasterKey();
  return firstKeySet(root ?? previous);
}

const wrongMasterKey = () =>
  new SettingError(
    "The master key is not that of this database: it cannot decrypt the sub keys stored there. Set the right one as MADANG_MASTER_KEY or, for the embedded database, in the file master-key of MADANG_DATA_DIR. To change it, also set the old one as MADANG_MASTER_KEY_PREVIOUS.",
  );

const namePrefix = "master key ";
const nameOf = (masterKey: string) => namePrefix + deriveKey(masterKey, "master id", 16).toString("hex");
const generationBytes = 4;
const generationOf = ({ value }: Copy) => value.readUInt32BE();

function sealCopy(masterKey: string, keySet: KeySet, generation: number, randomBytes: RandomBytes): Buffer {
  const number = Buffer.alloc(generationBytes);
  number.writeUInt32BE(generation);
  const text = JSON.stringify([keySet.root, ...keySet.sealKeys.map((key) => key.toString("base64"))]);
  return Buffer.concat([number, seal(deriveKey(masterKey, "key set"), text, randomBytes)]);
}

function openCopy(masterKey: string, copies: readonly Copy[]) {
  const copy = copies.find(({ name }) => name === nameOf(masterKey));
  if (copy === undefined) return undefined;
  const text = openWithAny([deriveKey(masterKey, "key set")], copy.value.subarray(generationBytes));
  if (text === undefined) throw new Error("The key set in the database is damaged.");
  // Written by `sealCopy`.
  const [root, ...sealKeys] = JSON.parse(text) as [string, ...string[]];
  const keySet: KeySet = { root, sealKeys: sealKeys.map((key) => Buffer.from(key, "base64")) };
  return { keySet, generation: generationOf(copy) };
}

const lock = defineLock("key-set.lock", "'madang key set'");

const list: Statement<Copy> = {
  name: "key-set.list",
  text: `SELECT name, value FROM secrets WHERE name LIKE '${namePrefix}%'`,
};

const save: Statement<unknown> = {
  name: "key-set.save",
  text: "INSERT INTO secrets (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
};

const removeOthers: Statement<unknown> = {
  name: "key-set.remove-others",
  text: `DELETE FROM secrets WHERE name LIKE '${namePrefix}%' AND name <> $1`,
};

const listOwners: Statement<Row<"SubKey", "masterId">> = {
  name: "key-set.list-owners",
  text: `SELECT DISTINCT master_id AS "masterId" FROM sub_keys`,
};

/** A key for one purpose, derived from a master key. Stored data depend on the result: it must not change. */
export function deriveKey(masterKey: string, purpose: string, length = 32): Buffer {
  return Buffer.from(hkdfSync("sha256", masterKey, "madang", purpose, length));
}
