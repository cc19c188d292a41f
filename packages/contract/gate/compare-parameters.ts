import type { Parameter } from "../src/openapi/shape.ts";
import { breaking, type Change, harmless } from "./change.ts";
import type { Documents } from "./compare-contracts.ts";
import { compareSchemas } from "./compare-schemas.ts";

/** Input is strict: a parameter that is gone gets 400, so taking one away breaks whoever sends it. */
export function compareParameters(
  route: string,
  before: readonly Parameter[],
  after: readonly Parameter[],
  documents: Documents,
): Change[] {
  const removed = before.filter((parameter) => find(after, parameter) === undefined);
  const added = after.filter((parameter) => find(before, parameter) === undefined);
  return [
    ...removed.map((parameter) => breaking(placeOf(route, parameter), "The parameter is gone.")),
    ...added.map((parameter) =>
      parameter.required
        ? breaking(placeOf(route, parameter), "The parameter is new and required.")
        : harmless(placeOf(route, parameter), "The parameter is new and may be left out."),
    ),
    ...before.flatMap((parameter) => {
      const other = find(after, parameter);
      return other === undefined ? [] : compareParameter(route, parameter, other, documents);
    }),
  ];
}

function compareParameter(
  route: string,
  before: Parameter,
  after: Parameter,
  documents: Documents,
): Change[] {
  const place = placeOf(route, before);
  const changes: Change[] = [];
  if (!before.required && after.required) changes.push(breaking(place, "The parameter is required now."));
  if (before.required && !after.required) changes.push(harmless(place, "The parameter may be left out now."));
  return [...changes, ...compareSchemas("sent", place, before.schema, after.schema, documents)];
}

function find(parameters: readonly Parameter[], { name, in: place }: Parameter): Parameter | undefined {
  return parameters.find((parameter) => parameter.name === name && parameter.in === place);
}

function placeOf(route: string, { name, in: place }: Parameter): string {
  return `${route}, ${place} ${name}`;
}
