import type { Database } from "../../db/db";
import { SettingError } from "../../errors/service-error";
import { compareFiles } from "../../modules/files/compare-store";
import { createFileAddresses } from "../../modules/files/storage/addresses";
import { findOwner } from "../../modules/files/storage/marker-store";
import { openStorage } from "../../modules/files/storage/open-storage";
import type { Storage } from "../../modules/files/storage/storage";
import { filesSettingOf, type Settings } from "../../settings/settings";
import { findDatabase, withDb } from "./database";

interface FilesOptions {
  readonly now: () => number;
  readonly randomBytes: (length: number) => Buffer;
  readonly print: (line: string) => void;
}

/** `madang-server files check`. Prints each difference, and returns how many there are. `isRemoving`: removes what is left over. */
export function checkFiles(
  settings: Settings,
  { isRemoving, ...options }: FilesOptions & { readonly isRemoving: boolean },
): Promise<number> {
  const { print } = options;
  return withStorage(settings, { ...options, isWriting: isRemoving }, async ({ db, storage }) => {
    let count = 0;
    for await (const { fileId, kind } of compareFiles(db, storage)) {
      const isRemoved = isRemoving && kind === "left over";
      if (isRemoved) await storage.remove([fileId]);
      else count += 1;
      print(`${fileId} ${isRemoved ? "removed" : kind}\n`);
    }
    print(count === 0 ? "The storage contains what the database says.\n" : `${count} differences\n`);
    return count;
  });
}

/** `madang-server files adopt`. Marks a storage as that of the database. */
export function adoptFiles(settings: Settings, options: FilesOptions): Promise<void> {
  return withStorage(settings, { ...options, isWriting: true }, async ({ storage, databaseId }) => {
    await storage.marker.write(databaseId, true);
    options.print("The storage is that of the database.\n");
  });
}

interface Opened {
  readonly db: Database;
  readonly storage: Storage;
  readonly databaseId: string;
}

async function withStorage<Result>(
  settings: Settings,
  { now, randomBytes, print, isWriting }: FilesOptions & { readonly isWriting: boolean },
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  return withDb(await findDatabase(settings), async (db) => {
    const owner = await findOwner(db, randomBytes);
    const { storage, close } = await openStorage({
      setting: filesSettingOf(settings),
      environment: settings,
      now,
      // The command makes no addresses for clients and stores nothing.
      addresses: createFileAddresses([Buffer.alloc(0)], now),
      makeId: () => "none",
      isWriting,
      owner,
      onError: (error) => print(`The credentials of the storage could not be renewed: ${error}\n`),
    });
    if (storage === undefined) throw new SettingError("MADANG_FILES is off: there is no storage of files.");
    try {
      return await work({ db, storage, databaseId: owner.databaseId });
    } finally {
      close();
    }
  });
}
