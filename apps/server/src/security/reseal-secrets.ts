import type { Db, Statement } from "../db/db";
import type { KeyMaker } from "./secret";

/** The columns with sealed texts. Each table has `pk` and `master_id`. */
const columns = [
  ["sub_keys", "sealed"],
  ["webhooks", "secret"],
  ["webhooks", "previous_secret"],
  ["hooks", "secret"],
  ["hooks", "previous_secret"],
] as const;

/** Seals every stored secret with the newest seal key. After a change of the master key, the old one opens none of them. */
export function resealSecrets(db: Db, keyMaker: KeyMaker): Promise<void> {
  return db.transaction(async (tx) => {
    for (const [table, column] of columns) {
      const { find, update } = statementsFor(table, column);
      for (const { pk, sealed } of await tx.query(find, [keyMaker.masterId])) {
        const resealed = await keyMaker.reseal(sealed);
        if (resealed !== undefined) await tx.query(update, [pk, resealed]);
      }
    }
  });
}

function statementsFor(table: string, column: string) {
  const find: Statement<{ pk: number; sealed: Buffer }> = {
    name: `reseal.find-${table}-${column}`,
    text: `SELECT pk, ${column} AS sealed FROM ${table} WHERE master_id = $1 AND ${column} IS NOT NULL FOR UPDATE`,
  };
  const update: Statement<unknown> = {
    name: `reseal.update-${table}-${column}`,
    text: `UPDATE ${table} SET ${column} = $2 WHERE pk = $1`,
  };
  return { find, update };
}
