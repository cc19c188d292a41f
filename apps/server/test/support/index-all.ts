import type { Database, Db } from "../../src/db/db";
import { numberEvents } from "../../src/modules/events/numbering/number-store";
import { createIndexer } from "../../src/modules/search/indexer";

/** Indexes everything that was committed before. */
export async function indexAll(db: Db | Database): Promise<void> {
  while ((await numberEvents(db, { waitsForLock: true })).isOvertaken);
  const step = createIndexer(db);
  while ((await step()) === true);
}
