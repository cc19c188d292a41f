import type { Db, Queryable } from "../../src/db/db";
import { numberEvents } from "../../src/modules/events/number-store";
import { createIndexer } from "../../src/modules/search/indexer";

/** Indexes everything that was committed before. */
export async function indexAll(db: Queryable | Db): Promise<void> {
  while ((await numberEvents(db, { waitsForLock: true })).isOvertaken);
  const step = createIndexer(db);
  while ((await step()) === true);
}
