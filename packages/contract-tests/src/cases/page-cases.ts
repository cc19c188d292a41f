import type { Interaction, Interactions } from "../interaction";
import { modifiedNext, next, truncatedNext } from "../placeholders";
import { invalid, problem } from "../problem";
import type { World } from "../world";

/** The page sizes that are rejected. The interactions of each list contain the valid ones. */
export function pageSizeCases({ request }: Interaction, min: number, max: number): Interactions {
  const outside = [`${min - 1}`, `${max + 1}`, "0", "99999999999999999999"];
  const notDigits = [`-${min}`, `+${min}`, ` ${min}`, `${min} `, `${min}.0`, "1e1", "0x10", "ten", "", "٥"];
  const limits = [...outside, ...notDigits, "NaN", "Infinity", [`${min}`, `${min}`]];
  return Object.fromEntries(
    limits.map((limit) => [
      `rejects limit ${JSON.stringify(limit)}`,
      { request: { ...request, query: { ...request?.query, limit } }, response: invalid("query", "limit") },
    ]),
  );
}

/** The cursors that are rejected. `nextPage` continues its list; `otherLists` have pages of other lists. */
export function cursorCases(
  { given, request }: Interaction,
  otherLists: Readonly<Record<string, World>>,
): Interactions {
  const rejected = {
    "a modified cursor": modifiedNext,
    "a truncated cursor": truncatedNext,
    "a forged cursor": "bm90.bW luZQ",
    "a malformed cursor": ".",
    "an empty cursor": "",
  };
  const cases: Record<string, Interaction> = {
    "rejects a cursor given twice": {
      given,
      request: { ...request, query: { next: [next, next] } },
      response: invalid("query", "next"),
    },
  };
  for (const [name, cursor] of Object.entries(rejected))
    cases[`rejects ${name}`] = {
      given,
      request: { ...request, query: { next: cursor } },
      response: problem(400, "invalid_cursor"),
    };
  for (const [name, world] of Object.entries(otherLists))
    cases[`rejects a cursor of ${name}`] = {
      given: world,
      request: { ...request, query: { next } },
      response: problem(400, "invalid_cursor"),
    };
  return cases;
}
