import type { Db } from "../../db/db";
import { createBatcher } from "../batcher";
import { addEntries } from "./entries-store";

/** Writes entries without a change, such as those of reads. Entries that arrive during a write share the next statement. */
export function batchEntries(db: Db): (entry: string) => Promise<void> {
  const write = async (entries: readonly string[]) => {
    await db.query(addEntries, [entries]);
    return entries.map(() => true);
  };
  const add = createBatcher<string, boolean>({
    maxRunning: 2,
    runMany: write,
    runOne: async (entry) => (await write([entry])).length > 0,
  });
  return async (entry) => void (await add(entry));
}
