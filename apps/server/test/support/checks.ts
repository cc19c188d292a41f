import type { Checks } from "../../src/chat/checks";
import type { Db } from "../../src/db/db";
import { createChecks } from "../../src/modules/checks/checks";
import { createFilterSet } from "../../src/modules/checks/filter-set";
import { reportFor } from "../../src/modules/checks/report-store";

/** The checks of messages, for a test that does the work of a job. */
export const checksOf = (db: Db): Checks =>
  createChecks({
    filters: createFilterSet(db, () => performance.now()),
    hits: { add: () => undefined },
    report: (found) => reportFor(db, found, Date.now),
    hooks: { listFor: async () => [] },
    ask: async () => ({}),
  });
