import type { Interaction, Interactions } from "./interaction";
import { invalid, refusal } from "./refusal";
import { changedNext, cutNext, earlierNext } from "./stand-ins";
import type { World } from "./world";

/** The sizes that a page cannot have. Which it can have is seen where there are enough entries to fill them. */
export function pageSizeRefusals(
  { below, above }: { below: number; above: number },
  ask: (limit: string | readonly string[]) => Interaction,
): Interactions {
  const usual = below + 1;
  const refusedSizes = [`${below}`, `${above}`, "0", `-${usual}`, `+${usual}`, ` ${usual}`, `${usual} `];
  const spellings = [`${usual}.0`, "1e1", "0x10", "ten", "", "٥", "NaN", "Infinity", "99999999999999999999"];
  return Object.fromEntries(
    [...refusedSizes, ...spellings, [`${usual}`, `${usual}`]].map((limit) => [
      `refuses limit ${JSON.stringify(limit)}`,
      { ...ask(limit), response: invalid("query", "limit") },
    ]),
  );
}

/** What `next` may not be. `page` is a page of the very list, the others are pages of other lists. */
export function cursorRefusals(
  page: World,
  others: Readonly<Record<string, World>>,
  ask: (next: string | readonly string[]) => Interaction,
): Interactions {
  const refusedCursor = refusal(400, "invalid_cursor");
  return {
    "refuses a cursor that was changed": { ...ask(changedNext), given: page, response: refusedCursor },
    "refuses a cursor that was cut": { ...ask(cutNext), given: page, response: refusedCursor },
    "refuses a cursor that nobody made": { ...ask("bm90.bW luZQ"), given: page, response: refusedCursor },
    "refuses a cursor that is none": { ...ask("."), given: page, response: refusedCursor },
    "refuses an empty cursor": { ...ask(""), given: page, response: refusedCursor },
    "refuses a cursor given twice": {
      ...ask([earlierNext, earlierNext]),
      given: page,
      response: invalid("query", "next"),
    },
    ...Object.fromEntries(
      Object.entries(others).map(([name, given]) => [
        `refuses a cursor of ${name}`,
        { ...ask(earlierNext), given, response: refusedCursor },
      ]),
    ),
  };
}
