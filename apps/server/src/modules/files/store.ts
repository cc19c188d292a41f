import { maySend, requireMaySend } from "../../chat/channels/may-send";
import { existsFor } from "../../chat/channels/visibility";
import { explainRejection } from "../../chat/messages/may-send-store";
import { lockUserByPk } from "../../chat/users/store";
import type { Db, Statement, Tx } from "../../db/db";
import { ServiceError } from "../../errors/service-error";
import type { ActingUser } from "../../security/acting-user";
import { writeOrExplain } from "../../write/write-or-explain";
import type { Writer } from "../../write/writer";
import type { FileRow } from "./storage/storage";

interface NewFile {
  readonly fileId: string;
  readonly channelId: string;
  /** Null: any sender of the channel may send it. */
  readonly userId: string | null;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

/**
 * Adds a file whose bytes have to be uploaded. A sender of the channel may create files for it; with tokens, a user may create so many
 * bytes in a day. With a key, the application decides.
 */
export function createFile(
  writer: Writer,
  { fileId, channelId, userId, name, type, size }: NewFile,
  { now, maxUserBytes }: { now: number; maxUserBytes: number },
): Promise<CreatedRow> {
  const { acting } = writer.request;
  const values = [channelId, userId, fileId, name, type, size, now];
  const channel = writer.channel(channelId);
  return writeOrExplain(
    () =>
      channel.writeAll(async (tx) => {
        const isToken = acting !== undefined && acting.id === undefined;
        if (isToken) await requireFewBytes(tx, acting, { size, now, max: maxUserBytes });
        return tx.query(create, values);
      }),
    async () => {
      const found = await explainRejection(channel.db, channelId, { userId }, acting);
      if (userId !== null) requireMaySend(found, userId);
      return undefined;
    },
  );
}

const dayMs = 86_400_000;

/** Locks the user, so that two files do not both get the bytes that only one may. */
async function requireFewBytes(
  tx: Tx,
  { userId, userPk }: ActingUser,
  { size, now, max }: { size: number; now: number; max: number },
): Promise<void> {
  await tx.query(lockUserByPk, [userPk]);
  const [used] = await tx.query(findUsed, [userPk, now - dayMs]);
  if (used === undefined || used.bytes + size <= max) return;
  const seconds = Math.max(1, Math.ceil(((used.oldestAt ?? now) + dayMs - now) / 1_000));
  const limit = `${max.toLocaleString("en-US")} bytes`;
  throw new ServiceError(
    "rate_limited",
    `The user ${userId} has created files of ${used.bytes} bytes in a day. The maximum is ${limit}.`,
    { retryAfterSeconds: seconds },
  );
}

/** The files that the user created since a time. */
const findUsed: Statement<{ readonly bytes: number; readonly oldestAt: number | null }> = {
  name: "files.find-used",
  text: `SELECT COALESCE(sum(size), 0)::bigint AS bytes, min(created_at) AS "oldestAt" FROM files
    WHERE user_pk = $1 AND created_at > $2`,
};

/** The stored result of an idempotency key. It has no name: an erasure does not remove it. */
type CreatedRow = Pick<FileRow, "fileId" | "createdAt">;

/**
 * A file that exists: neither deleted, nor left by its message or channel. For a user, those exist that the messages of the own channels
 * have, and the own ones.
 */
export async function findFile(db: Db, fileId: string, acting?: ActingUser): Promise<FileRow | undefined> {
  for (const schema of db.schemas()) {
    const [found] = await schema.query(find, [fileId, acting?.userPk ?? null]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether the user of a file was deleted, or its tokens revoked, since the file was created. */
export async function isRevoked(db: Db, { userPk, createdAt }: FileRow): Promise<boolean> {
  return userPk !== null && (await db.query(findRevocation, [userPk, createdAt])).length > 0;
}

export async function requireFile(db: Db, fileId: string, acting?: ActingUser): Promise<FileRow> {
  return (await findFile(db, fileId, acting)) ?? rejectUnknownFile(fileId);
}

export function rejectUnknownFile(fileId: string): never {
  throw new ServiceError("file_not_found", `There is no file ${JSON.stringify(fileId)}.`);
}

/** How many files there are, and their bytes. */
export async function measureFiles(db: Db): Promise<FileTotals> {
  const totals = { files: 0, bytes: 0 };
  for (const schema of db.schemas())
    for (const { files, bytes } of await schema.query(measure)) {
      totals.files += files;
      totals.bytes += bytes;
    }
  return totals;
}

interface FileTotals {
  readonly files: number;
  readonly bytes: number;
}

const measure: Statement<FileTotals> = {
  name: "files.measure",
  text: `SELECT count(*) AS files, COALESCE(sum(size), 0)::bigint AS bytes FROM files WHERE status = 'ready'`,
};

/** Marks a file as ready, whose bytes have arrived. */
export async function markReady(db: Db, { channelId, fileId }: Pick<FileRow, "channelId" | "fileId">) {
  await db.channel(channelId).query(setReady, [fileId]);
}

/** Deletes a file that no message has. The background removes its bytes. */
export async function deleteFile(writer: Writer, fileId: string): Promise<void> {
  await writeOrExplain(
    async () => {
      const found = await findFile(writer.db, fileId);
      // A repeated request does not find the channel any more. So the key is not only stored in its schema.
      const channelIds = found === undefined ? [] : [found.channelId];
      return writer.writeSchemas(channelIds, async (tx, [channelId]) =>
        channelId === undefined ? [] : tx.query(remove, [fileId]),
      );
    },
    async () => {
      const { isAttached } = await requireFile(writer.db, fileId);
      if (isAttached)
        throw new ServiceError(
          "file_in_use",
          `A message has the file ${fileId}. It is deleted with the message.`,
        );
      return undefined;
    },
  );
}

const create: Statement<CreatedRow> = {
  name: "files.create",
  text: `INSERT INTO files (file_id, channel_pk, user_pk, name, type, size, created_at)
      SELECT $3, c.pk, u.pk, $4, $5, $6::bigint, $7::bigint FROM channels c
      LEFT JOIN users u ON u.user_id = $2 AND u.deleted_at IS NULL
      WHERE c.channel_id = $1 AND c.deleted_at IS NULL
        AND ($2::text IS NULL OR (u.pk IS NOT NULL AND ${maySend("c", "u")}))
      RETURNING file_id AS "fileId", created_at AS "createdAt"`,
};

/** Whether a file of the table exists for callers. A message that is deleted leaves its files without a message. */
export const isFile = "f.status <> 'deleted' AND (f.attached_at IS NULL OR f.message_pk IS NOT NULL)";

const find: Statement<FileRow> = {
  name: "files.find",
  text: `SELECT file_id AS "fileId", channel_id AS "channelId", f.name, f.type, size, status, f.created_at AS "createdAt",
      message_pk IS NOT NULL AS "isAttached", f.user_pk AS "userPk"
    FROM files f JOIN channels c ON c.pk = f.channel_pk AND c.deleted_at IS NULL
    WHERE file_id = $1 AND ${isFile} AND ${existsFor("c.pk", "$2")}
      AND ($2 IS NULL OR message_pk IS NOT NULL OR f.user_pk = $2)`,
};

const findRevocation: Statement<unknown> = {
  name: "files.find-revocation",
  text: "SELECT 1 FROM token_revocations WHERE user_pk = $1 AND created_at > $2 LIMIT 1",
};

const setReady: Statement<unknown> = {
  name: "files.set-ready",
  text: "UPDATE files SET status = 'ready' WHERE file_id = $1 AND status = 'waiting' RETURNING 1",
};

/** SQL: marks a file as deleted. Without a name and a type, nothing of the content is left. */
export const deleted = "status = 'deleted', name = '', type = ''";

const remove: Statement<Pick<FileRow, "fileId">> = {
  name: "files.delete",
  text: `UPDATE files f SET ${deleted}
    WHERE file_id = $1 AND message_pk IS NULL AND ${isFile} RETURNING file_id AS "fileId"`,
};
