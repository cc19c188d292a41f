import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";

interface IdListOptions {
  /** Parameters that cannot be sent beside the list. */
  readonly others?: readonly string[];
  /** Whether the ids are those of messages, which the service assigns. */
  readonly isAssigned?: boolean;
  /** Whether the application chose the ids, which have any characters. */
  readonly isExternal?: boolean;
  /** How many ids the list may have. */
  readonly max?: number;
}

/** The lists of ids in a query that are rejected. `accepted` sends one that is valid. */
export function idListCases(
  accepted: Interaction,
  name: string,
  {
    others = ["limit", "name_prefix", "next"],
    isAssigned = false,
    isExternal = false,
    max = 50,
  }: IdListOptions = {},
): Interactions {
  const query = (value: string | readonly string[]) => ({ ...accepted.request, query: { [name]: value } });
  const most = Array.from({ length: max }, (_, index) => `unknown_${index}`);
  const rejected: Readonly<Record<string, readonly [value: string, path: string]>> = {
    "an empty list": ["", `${name}.0`],
    "an empty id": ["unknown_1,", `${name}.1`],
    ...(!isExternal && { "a space": ["unknown_1, unknown_2", `${name}.1`] }),
    ...(!isAssigned &&
      !isExternal && {
        "an id of 3 characters": ["abc", `${name}.0`],
        "an id in upper case": ["Unknown", `${name}.0`],
      }),
    [`${max + 1} ids`]: [[...most, `unknown_${max}`].join(), name],
  };
  const [key] = Object.keys(Object(accepted.response.body));
  const cases: Record<string, Interaction> = {
    [`accepts ${name} with ${max} ids that do not exist`]: {
      ...(accepted.given && { given: accepted.given }),
      request: query(most.join()),
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
