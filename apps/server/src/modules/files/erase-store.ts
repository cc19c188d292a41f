import type { Step } from "../../chat/traces";
import type { Queryable, Statement } from "../../db/db";

/**
 * Erases the names and types of files of users that no message has: those that were never sent, and those whose messages were erased.
 * The background removes them with their bytes.
 */
export async function eraseFiles(tx: Queryable, users: readonly number[]): Promise<Step> {
  for (const schema of tx.schemas()) await schema.query(erase, [users]);
  return { next: undefined };
}

const erase: Statement<unknown> = {
  name: "files.erase",
  text: `UPDATE files SET status = 'deleted', name = '', type = ''
    WHERE user_pk = ANY ($1::bigint[]) AND message_pk IS NULL AND status <> 'deleted' RETURNING 1`,
};
