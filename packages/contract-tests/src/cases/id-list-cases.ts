import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";

/** The lists of ids in a query that are rejected. `accepted` sends one that is valid. */
export function idListCases(accepted: Interaction, name: string): Interactions {
  const query = (value: string | readonly string[]) => ({ ...accepted.request, query: { [name]: value } });
  const fifty = Array.from({ length: 50 }, (_, index) => `unknown_${index}`);
  const rejected = {
    "an empty list": ["", `${name}.0`],
    "an empty id": ["unknown_1,", `${name}.1`],
    "a space": ["unknown_1, unknown_2", `${name}.1`],
    "an id of 3 characters": ["abc", `${name}.0`],
    "an id in upper case": ["Unknown", `${name}.0`],
    "51 ids": [[...fifty, "unknown_50"].join(), name],
  } as const;
  const [key] = Object.keys(Object(accepted.response.body));
  const cases: Record<string, Interaction> = {
    [`accepts ${name} with 50 ids that do not exist`]: {
      request: query(fifty.join()),
      response: { status: 200, body: { [key ?? ""]: [] } },
    },
    [`rejects ${name} given twice`]: {
      request: query(["unknown_1", "unknown_2"]),
      response: invalid("query", name),
    },
  };
  for (const other of ["limit", "name_prefix", "next"])
    cases[`rejects ${name} together with ${other}`] = {
      request: { ...accepted.request, query: { [name]: "unknown_1", [other]: "10" } },
      response: invalid("query", other),
    };
  for (const [what, [value, path]] of Object.entries(rejected))
    cases[`rejects ${name} with ${what}`] = { request: query(value), response: invalid("query", path) };
  return cases;
}
