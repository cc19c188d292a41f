import type { ErasureStep } from "../../chat/erasure";
import { type Db, databaseNow, type Statement, type Tx } from "../../db/db";
import { type Storage, uploadMs } from "./storage/storage";
import { deleted } from "./store";

const filesPerStep = 200;
/** How long a file may have no message. */
const unattachedMs = 86_400_000;
/** When the last upload of a file has ended: it began while the address was valid. */
const lastUploadMs = 2 * uploadMs;

/**
 * Removes some files that no message has any more, or has had after a day, and returns whether more may remain. The row of a file goes
 * last, when its bytes are gone and no upload can bring them back: whatever is killed in between, a later step finds the row.
 */
export async function sweepFiles(db: Db, storage: Storage): Promise<boolean> {
  let isMore = false;
  for (const schema of db.schemas()) {
    const marked = await schema.query(mark, [unattachedMs, filesPerStep]);
    const found = await schema.query(findDeleted, [lastUploadMs, filesPerStep]);
    if (found.length > 0) {
      await storage.remove(found.map(({ fileId }) => fileId));
      const idsOf = (isLast: boolean) =>
        found.filter((file) => file.isLast === isLast).map(({ fileId }) => fileId);
      await schema.query(finish, [idsOf(true), idsOf(false)]);
    }
    if (marked.length >= filesPerStep || found.length === filesPerStep) isMore = true;
  }
  return isMore;
}

/** Marks the files of a channel that no message ever had, like those of its messages. The background removes them with their bytes. */
export async function removeFilesOfChannel(db: Db, channelPk: number): Promise<void> {
  for (const schema of db.schemas()) await schema.query(removeOfChannel, [channelPk]);
}

/**
 * Erases the names and types of files of users that no message has: those that were never sent, and those whose messages were erased.
 * The background removes them with their bytes.
 */
export async function eraseFiles(tx: Tx, users: readonly number[]): Promise<ErasureStep> {
  for (const schema of tx.schemas()) await schema.query(erase, [users]);
  return { next: undefined };
}

const isOlderThan = (ms: string) => `created_at < ${databaseNow} - ${ms}::bigint`;

// The conditions are outside of the subquery too: PostgreSQL checks them again on a row that it waited for.
const mark: Statement<unknown> = {
  name: "files.mark-deleted",
  text: `UPDATE files SET ${deleted}
    WHERE message_pk IS NULL AND status <> 'deleted' AND (attached_at IS NOT NULL OR ${isOlderThan("$1")}) AND pk IN (
      (SELECT pk FROM files WHERE message_pk IS NULL AND status <> 'deleted' AND attached_at IS NOT NULL LIMIT $2)
      UNION ALL
      (SELECT pk FROM files WHERE message_pk IS NULL AND status <> 'deleted' AND attached_at IS NULL
        AND ${isOlderThan("$1")} LIMIT $2))
    RETURNING 1`,
};

/** Those whose bytes were not removed yet, or for which the last upload has ended since: then they are removed for the last time. */
const findDeleted: Statement<{ readonly fileId: string; readonly isLast: boolean }> = {
  name: "files.find-deleted",
  text: `SELECT file_id AS "fileId", ${isOlderThan("$1")} AS "isLast" FROM files
    WHERE status = 'deleted' AND (NOT is_emptied OR ${isOlderThan("$1")}) ORDER BY created_at LIMIT $2`,
};

const finish: Statement<unknown> = {
  name: "files.finish-deleted",
  text: `WITH removed AS (DELETE FROM files WHERE file_id = ANY ($1::text[]) AND status = 'deleted')
    UPDATE files SET is_emptied = true WHERE file_id = ANY ($2::text[]) AND status = 'deleted' RETURNING 1`,
};

const removeOfChannel: Statement<unknown> = {
  name: "files.remove-of-channel",
  text: `UPDATE files SET ${deleted}
    WHERE channel_pk = $1 AND message_pk IS NULL AND attached_at IS NULL AND status <> 'deleted' RETURNING 1`,
};

const erase: Statement<unknown> = {
  name: "files.erase",
  text: `UPDATE files SET ${deleted}
    WHERE user_pk = ANY ($1::bigint[]) AND message_pk IS NULL AND status <> 'deleted' RETURNING 1`,
};
