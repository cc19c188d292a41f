import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";

interface IdListOptions {
  /** Parameters that cannot be sent beside the list. */
  readonly others?: readonly string[];
  /** Whether the ids are those of messages, which the service assigns. */
  readonly isAssigned?: boolean;
  /** Whether the application chose the ids, which have any characters. */
  readonly isExternal?: boolean;
}

/** The lists of ids in a query that are rejected. `accepted` sends one that is valid. */
export function idListCases(
  accepted: Interaction,
  name: string,
  { others = ["limit", "name_prefix", "next"], isAssigned = false, isExternal = false }: IdListOptions = {},
): Interactions {
  const query = (value: string | readonly string[]) => ({ ...accepted.request, query: { [name]: value } });
  const fifty = Array.from({ length: 50 }, (_, index) => `unknown_${index}`);
  const rejected: Readonly<Record<string, readonly [value: string, path: string]>> = {
    "an empty list": ["", `${name}.0`],
    "an empty id": ["unknown_1,", `${name}.1`],
    ...(!isExternal && { "a space": ["unknown_1, unknown_2", `${name}.1`] }),
    ...(!isAssigned &&
      !isExternal && {
        "an id of 3 characters": ["abc", `${name}.0`],
        "an id in upper case": ["Unknown", `${name}.0`],
      }),
    "51 ids": [[...fifty, "unknown_50"].join(), name],
  };
  const [key] = Object.keys(Object(accepted.response.body));
  const cases: Record<string, Interaction> = {
    [`accepts ${name} with 50 ids that do not exist`]: {
      ...(accepted.given && { given: accepted.given }),
      request: query(fifty.join()),
      response: { status: 200, body: { [key ?? ""]: [] } },
    },
    [`rejects ${name} given twice`]: {
      request: query(["unknown_1", "unknown_2"]),
      response: invalid("query", name),
    },
  };
  for (const other of others)
    cases[`rejects ${name} together with ${other}`] = {
      request: {
        ...accepted.request,
        query: { [name]: "unknown_1", [other]: other === "unread" ? "true" : "10" },
      },
      response: invalid("query", other),
    };
  for (const [what, [value, path]] of Object.entries(rejected))
    cases[`rejects ${name} with ${what}`] = { request: query(value), response: invalid("query", path) };
  return cases;
}
