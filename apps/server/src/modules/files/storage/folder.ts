import type { StatsFs } from "node:fs";
import { link, mkdir, open, readdir, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request, Response } from "express";
import { codeOf, unlessMissing } from "../../../errors/thrown";
import type { FileAddresses } from "./addresses";
import {
  type Marker,
  markerName,
  readableUntil,
  type Storage,
  type StoredBytes,
  storageUnavailable,
} from "./storage";

export interface FolderDeps {
  readonly addresses: FileAddresses;
  readonly now: () => number;
  /** Creates a name that no other upload has. */
  readonly makeId: () => string;
  /** Throws unless this is the storage of the database. */
  readonly requireOwn: (marker: Marker) => Promise<void>;
  /** How much of a disk is free. */
  readonly statfs?: (path: string) => Promise<Pick<StatsFs, "bavail" | "blocks" | "bsize">>;
}

/** How much of its disk stays free: the database may be on it, too. */
const keptShare = 0.05;

/** An upload that wrote nothing for this long was cut: its connection would have been closed. */
const cutAfterMs = 900_000;

/**
 * Files in a folder, which several processes may share. An upload is written to a file of its own, and gets its name when it is
 * complete and on the disk.
 */
export function createFolderStorage(
  folder: string,
  { addresses, now, makeId, ...deps }: FolderDeps,
): Storage {
  const incoming = join(folder, "incoming");
  const pathOf = (fileId: string) => join(folder, ...partsOf(fileId));
  const marker: Marker = {
    read: async () => (await onDisk(unlessMissing(readFile(join(folder, markerName), "utf8"))))?.trim(),
    async write(databaseId, isReplacing = false) {
      const options = { flag: isReplacing ? "w" : "wx", flush: true };
      await onDisk(unlessExists(writeFile(join(folder, markerName), `${databaseId}\n`, options)));
    },
  };
  const requireOwn = () => deps.requireOwn(marker);
  /** The bytes of the uploads that this process is receiving. Those that have arrived count twice: rather too few uploads than too many. */
  let promised = 0;
  /** Promises the space of an upload until the returned function is called. */
  async function requireSpace(size: number): Promise<() => void> {
    promised += size;
    const release = () => {
      promised -= size;
    };
    try {
      const { bavail, blocks, bsize } = await onDisk((deps.statfs ?? statfs)(folder));
      if ((bavail - keptShare * blocks) * bsize < promised)
        throw storageUnavailable(new Error("An upload would leave less than 5 percent of the disk free."));
    } catch (error) {
      release();
      throw error;
    }
    return release;
  }
  return {
    marker,
    requireOwn,
    async measureDisk() {
      const { bavail, blocks, bsize } = await onDisk(statfs(folder));
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
    uploadAddress: ({ fileId, type }, expiresAt, origin) => ({
      url: addresses.make(origin, "PUT", fileId, expiresAt),
      headers: { "content-type": type },
    }),
    downloadAddress: ({ fileId }, origin) => addresses.make(origin, "GET", fileId, readableUntil(now())),
    async sizeOf(fileId) {
      const size = (await onDisk(unlessMissing(stat(pathOf(fileId)))))?.size;
      if (size === undefined) await requireOwn();
      return size;
    },
    async remove(fileIds) {
      await requireOwn();
      for (const fileId of fileIds) await onDisk(rm(pathOf(fileId), { force: true }));
    },
    async removeCutUploads() {
      for (const name of (await unlessMissing(readdir(incoming))) ?? []) {
        const path = join(incoming, name);
        const found = await unlessMissing(stat(path));
        if (found !== undefined && now() - found.mtimeMs > cutAfterMs) await rm(path, { force: true });
      }
    },
    async *list(): AsyncGenerator<StoredBytes> {
      const subfolders = (await unlessMissing(readdir(folder))) ?? [];
      for (const subfolder of subfolders
        .filter((name) => name !== "incoming" && name !== markerName)
        .sort()) {
        for (const fileId of (await unlessMissing(readdir(join(folder, subfolder)))) ?? []) {
          const found = await unlessMissing(stat(join(folder, subfolder, fileId)));
          if (found !== undefined) yield { fileId, size: found.size };
        }
      }
    },
    transfer: {
      async receive(request: Request, { fileId, size }) {
        await requireOwn();
        const release = await requireSpace(size);
        const path = join(incoming, `${fileId}-${makeId()}`);
        try {
          // Not `recursive`: without its disk, the folder is not created elsewhere.
          await unlessExists(mkdir(incoming));
          // A disk that is full must not end the connection, which has to carry the response. Flushed: after a power failure, a file
          // that has its name has its bytes.
          const bytes = request.iterator({ destroyOnReturn: false });
          await writeFile(path, bytes, { flag: "wx", flush: true });
          return await publish(path, folder, fileId);
        } catch (error) {
          throw request.errored || !isOfDisk(error) ? error : storageUnavailable(error);
        } finally {
          // What it leaves is removed as a cut upload.
          await rm(path, { force: true }).catch(() => undefined);
          release();
        }
      },
      send(response: Response, fileId) {
        const options = {
          root: folder,
          cacheControl: false,
          lastModified: false,
          dotfiles: "allow",
        } as const;
        return new Promise((resolve, reject) => {
          response.sendFile(partsOf(fileId).join("/"), options, (error?: unknown) => {
            const { status, headers } = Object(error);
            // The range is beyond the end of the file.
            if (status === 416) response.status(416).set(headers).end();
            // A client that closed the connection needs no response.
            if (error === undefined || status === 416 || response.destroyed) resolve();
            else if (codeOf(error) === "ENOENT") requireOwn().then(() => reject(error), reject);
            else reject(isOfDisk(error) ? storageUnavailable(error) : error);
          });
        });
      },
    },
  };
}

/** Whether the file system reports an error. Its code, such as ENOSPC or EIO, is in the log. */
const isOfDisk = (error: unknown): boolean => error instanceof Error && "syscall" in error;

/** What a call of the file system returns. Its errors say nothing about the request: the disk is full, read-only, broken or gone. */
const onDisk = <Result>(call: Promise<Result>): Promise<Result> =>
  call.catch((error: unknown) => {
    throw isOfDisk(error) ? storageUnavailable(error) : error;
  });

async function unlessExists(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Subfolders, because some file systems become slow with millions of entries in one. */
const partsOf = (fileId: string): [string, string] => [fileId.slice(5, 7), fileId];

/** Gives complete bytes their name. Returns false if the file has bytes already. */
async function publish(path: string, folder: string, fileId: string): Promise<boolean> {
  const [subfolder, name] = partsOf(fileId);
  await unlessExists(mkdir(join(folder, subfolder)));
  // Unlike a rename, it does not replace what another upload has stored.
  if (!(await unlessExists(link(path, join(folder, subfolder, name))))) return false;
  await flushFolder(join(folder, subfolder));
  return true;
}

/** Without it, a new name may be lost with the power. Windows has no such call. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
