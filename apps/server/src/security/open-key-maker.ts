import type { Queryable } from "../db/db";
import { type MasterKeys, openKeySet, reloadKeySet } from "./key-set";
import { createKeyMaker, type KeyMaker } from "./secret";

/** The keys of a database. Throws a `SettingError` if the master key is not that of the database. */
export async function openKeyMaker(
  db: Queryable,
  { current, previous }: MasterKeys,
  randomBytes: (length: number) => Buffer,
): Promise<KeyMaker> {
  const keySet = await openKeySet(db, { current, previous }, randomBytes);
  const accepted = previous === undefined ? [current] : [current, previous];
  return createKeyMaker(accepted, keySet, randomBytes, () => reloadKeySet(db, current));
}
