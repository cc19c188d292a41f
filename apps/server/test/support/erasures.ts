import { removals } from "../../src/app/modules";
import type { Db } from "../../src/db/db";
import { createEraser } from "../../src/modules/privacy/erase-store";

/** Does what the running erasures can do now. */
export async function finishErasures(db: Db, now: () => number = Date.now): Promise<void> {
  const step = createEraser({ db, now, ...removals });
  while (await step());
}
