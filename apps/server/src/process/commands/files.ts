import { SettingError } from "../../errors/service-error";
import { createFileAddresses } from "../../modules/files/addresses";
import { compareFiles } from "../../modules/files/compare-store";
import { openStorage } from "../../modules/files/open-storage";
import { filesSettingOf, type Settings } from "../../settings/settings";
import { findDatabase, withDb } from "./database";

interface CheckOptions {
  readonly isRemoving: boolean;
  readonly now: () => number;
  readonly print: (line: string) => void;
}

/** `madang-server files check`. Prints each difference, and returns how many there are. `isRemoving`: removes what is left over. */
export async function checkFiles(
  settings: Settings,
  { isRemoving, now, print }: CheckOptions,
): Promise<number> {
  const { storage, close } = await openStorage({
    setting: filesSettingOf(settings),
    environment: settings,
    now,
    // The command makes no addresses for clients and stores nothing.
    addresses: createFileAddresses(Buffer.alloc(0), now),
    makeId: () => "none",
    isWriting: isRemoving,
    onError: (error) => print(`The credentials of the storage could not be renewed: ${error}\n`),
  });
  if (storage === undefined) throw new SettingError("MADANG_FILES is off: there are no files to check.");
  try {
    return await withDb(await findDatabase(settings), async (db) => {
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
  } finally {
    close();
  }
}
