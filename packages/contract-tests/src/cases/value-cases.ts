import type { InvalidField } from "@madang/contract";
import type { Interaction, Interactions } from "../interaction";
import { invalid } from "../problem";

/** Valid and invalid values of a field. Each name completes "accepts name …" or "rejects name …". */
export interface Values {
  readonly accepts?: Readonly<Record<string, unknown>>;
  readonly rejects: Readonly<Record<string, unknown>>;
}

/**
 * One interaction per value of a field: a copy of `accepted` in which the value replaces the field's own value wherever
 * it occurs, so that the response contains it too. An invalid value is rejected whether or not anything exists.
 */
export function valueCases(
  accepted: Interaction,
  location: Exclude<InvalidField["in"], "header">,
  path: string,
  { accepts = {}, rejects }: Values,
): Interactions {
  const part = { body: "body", query: "query", path: "params" } as const;
  const current = readField(accepted.request?.[part[location]], path);
  // A copy has the form of the original.
  const copyWith = (value: unknown) => replace(accepted, current, value) as Interaction;
  const cases: Record<string, Interaction> = {};
  for (const [name, value] of Object.entries(accepts)) cases[`accepts ${path} ${name}`] = copyWith(value);
  for (const [name, value] of Object.entries(rejects))
    cases[`rejects ${path} ${name}`] = {
      request: copyWith(value).request,
      response: invalid(location, path),
    };
  return cases;
}

/** The value at a dotted path such as `members.0`. */
function readField(part: unknown, path: string): unknown {
  const value = path.split(".").reduce((parent, name) => Object(parent)[name], part);
  if (value === undefined) throw new Error(`The accepted request has no ${path}.`);
  return value;
}

/** A copy in which every value and every key that equals `current` is `value`. */
function replace(node: unknown, current: unknown, value: unknown): unknown {
  if (node === current) return value;
  if (Array.isArray(node)) return node.map((entry) => replace(entry, current, value));
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, entry]) => [
      replace(key, current, value),
      replace(entry, current, value),
    ]),
  );
}
