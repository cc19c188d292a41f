import type { OpenApiDocument, Schema } from "../src/openapi/shape.ts";
import { breaking, type Change, type Direction, narrowed, widened } from "./change.ts";
import { compareBounds } from "./compare-bounds.ts";
import type { Documents } from "./compare-contracts.ts";
import { compareProperties } from "./compare-properties.ts";
import { compareUnions } from "./compare-unions.ts";

/** The differences of two schemas for a value that travels one way. */
export function compareSchemas(
  direction: Direction,
  place: string,
  released: Schema,
  current: Schema,
  documents: Documents,
): Change[] {
  const before = follow(released, documents.released);
  const after = follow(current, documents.current);
  if (before.oneOf !== undefined || after.oneOf !== undefined)
    return compareUnions(direction, place, before, after, documents);
  const typeChange = compareTypes(direction, place, before, after);
  // Of two values of different kinds every other difference is noise.
  if (typeChange.some(({ what }) => what.startsWith("The type"))) return typeChange;
  return [
    ...typeChange,
    ...compareValues(direction, place, before, after),
    ...compareBounds(direction, place, before, after),
    ...compareProperties(direction, place, before, after, documents),
    ...compareParts(direction, place, before, after, documents),
    ...compareOthers(place, before, after),
  ];
}

/** The schema that a reference names, in its own document. */
export function follow(schema: Schema, document: OpenApiDocument): Schema {
  if (schema.$ref === undefined) return schema;
  const found = document.components.schemas[schema.$ref.split("/").at(-1) ?? ""];
  if (found === undefined) throw new Error(`The document lacks ${schema.$ref}.`);
  return found;
}

function compareTypes(direction: Direction, place: string, before: Schema, after: Schema): Change[] {
  const [old, fresh] = [before.type, after.type];
  if (JSON.stringify(old) === JSON.stringify(fresh)) return [];
  if (old === "integer" && fresh === "number")
    return [widened(direction, place, "Fractions are possible now.")];
  if (old === "number" && fresh === "integer")
    return [narrowed(direction, place, "Only whole numbers are left.")];
  return [breaking(place, `The type changes from ${old ?? "any"} to ${fresh ?? "any"}.`)];
}

function compareValues(direction: Direction, place: string, before: Schema, after: Schema): Change[] {
  const [old, fresh] = [valuesOf(before), valuesOf(after)];
  if (old === undefined && fresh === undefined) return [];
  if (old === undefined) return [narrowed(direction, place, `Only ${fresh?.join(", ")} are left.`)];
  if (fresh === undefined) return [widened(direction, place, "Any value is possible now.")];
  return [
    ...old
      .filter((value) => !fresh.includes(value))
      .map((value) => narrowed(direction, place, `The value ${value} is gone.`)),
    ...fresh
      .filter((value) => !old.includes(value))
      .map((value) => widened(direction, place, `The value ${value} is new.`)),
  ];
}

function valuesOf({ const: only, enum: several }: Schema): string[] | undefined {
  if (only !== undefined) return [JSON.stringify(only)];
  return several?.map((value) => JSON.stringify(value));
}

/** The schemas within: entries of an array, names and values of an object's further properties. */
function compareParts(
  direction: Direction,
  place: string,
  before: Schema,
  after: Schema,
  documents: Documents,
): Change[] {
  const parts = [
    { name: "entries", old: before.items, fresh: after.items },
    { name: "names", old: before.propertyNames, fresh: after.propertyNames },
    { name: "values", old: before.additionalProperties, fresh: after.additionalProperties },
  ];
  return parts.flatMap(({ name, old, fresh }) => {
    const at = `${place}, ${name}`;
    if (isSchema(old) && isSchema(fresh)) return compareSchemas(direction, at, old, fresh, documents);
    if (JSON.stringify(old ?? true) === JSON.stringify(fresh ?? true)) return [];
    const isClosed = fresh === false || (isSchema(fresh) && old !== false);
    return [
      isClosed
        ? narrowed(direction, at, "Fewer are possible.")
        : widened(direction, at, "More are possible."),
    ];
  });
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const compared = new Set([
  ...["$ref", "type", "const", "enum", "oneOf", "discriminator", "properties", "required"],
  ...["items", "propertyNames", "additionalProperties", "pattern", "format"],
  ...[
    "minLength",
    "maxLength",
    "minimum",
    "maximum",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
  ],
]);
const spoken = new Set(["title", "description", "examples", "deprecated"]);

/** A keyword that is not known here might mean anything: its change counts as breaking. */
function compareOthers(place: string, before: Schema, after: Schema): Change[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keywords]
    .filter((keyword) => !compared.has(keyword) && !spoken.has(keyword))
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]))
    .map((keyword) =>
      breaking(place, `${keyword} changes from ${say(before[keyword])} to ${say(after[keyword])}.`),
    );
}

function say(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
