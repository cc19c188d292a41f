import { createWriteStream } from "node:fs";
import { link, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Request, Response } from "express";
import { codeOf, unlessMissing } from "../../errors/thrown";
import type { FileAddresses } from "./addresses";
import { readableUntil, type Storage, type StoredBytes } from "./storage";

export interface FolderDeps {
  readonly addresses: FileAddresses;
  readonly now: () => number;
  /** Creates a name that no other upload has. */
  readonly makeId: () => string;
}

/** An upload that wrote nothing for this long was cut: its connection would have been closed. */
const cutAfterMs = 900_000;

/**
 * Files in a folder, which several processes may share. An upload is written to a file of its own, and gets its name when it is
 * complete and on the disk.
 */
export function createFolderStorage(folder: string, { addresses, now, makeId }: FolderDeps): Storage {
  const incoming = join(folder, "incoming");
  const pathOf = (fileId: string) => join(folder, ...partsOf(fileId));
  return {
    uploadAddress: ({ fileId, type }, expiresAt, origin) => ({
      url: addresses.make(origin, "PUT", fileId, expiresAt),
      headers: { "content-type": type },
    }),
    downloadAddress: ({ fileId }, origin) => addresses.make(origin, "GET", fileId, readableUntil(now())),
    async sizeOf(fileId) {
      return (await unlessMissing(stat(pathOf(fileId))))?.size;
    },
    async remove(fileIds) {
      for (const fileId of fileIds) await rm(pathOf(fileId), { force: true });
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
      for (const subfolder of subfolders.filter((name) => name !== "incoming").sort()) {
        for (const fileId of (await unlessMissing(readdir(join(folder, subfolder)))) ?? []) {
          const found = await unlessMissing(stat(join(folder, subfolder, fileId)));
          if (found !== undefined) yield { fileId, size: found.size };
        }
      }
    },
    transfer: {
      async receive(request: Request, { fileId }) {
        await mkdir(incoming, { recursive: true });
        const path = join(incoming, `${fileId}-${makeId()}`);
        try {
          // Flushed: after a power failure, a file that has its name has its bytes.
          await pipeline(request, createWriteStream(path, { flags: "wx", flush: true }));
          return await publish(path, folder, fileId);
        } finally {
          await rm(path, { force: true });
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
            else reject(error);
          });
        });
      },
    },
  };
}

/** Subfolders, because some file systems become slow with millions of entries in one. */
const partsOf = (fileId: string): [string, string] => [fileId.slice(5, 7), fileId];

/** Gives complete bytes their name. Returns false if the file has bytes already. */
async function publish(path: string, folder: string, fileId: string): Promise<boolean> {
  const [subfolder, name] = partsOf(fileId);
  await mkdir(join(folder, subfolder), { recursive: true });
  try {
    // Unlike a rename, it does not replace what another upload has stored.
    await link(path, join(folder, subfolder, name));
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  await flushFolder(join(folder, subfolder));
  return true;
}

/** Without it, a new name may be lost with the power. Windows has no such call. */
async function flushFolder(path: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}
