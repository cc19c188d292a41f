import type { Queryable } from "../../src/db/db";
import { createEraser } from "../../src/resources/privacy/erase-store";

/** Does what the running erasures can do now. */
export async function finishErasures(db: Queryable, now: () => number = Date.now): Promise<void> {
  const step = createEraser(db, now);
  while ((await step()) !== "idle");
}
