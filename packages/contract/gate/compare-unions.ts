import type { OpenApiDocument, Schema } from "../src/openapi/shape.ts";
import { type Change, type Direction, narrowed, widened } from "./change.ts";
import type { Documents } from "./compare-contracts.ts";
import { compareSchemas, follow } from "./compare-schemas.ts";

/** Alternatives are the same when they are named the same; a value without alternatives is one of its own. */
export function compareUnions(
  direction: Direction,
  place: string,
  before: Schema,
  after: Schema,
  documents: Documents,
): Change[] {
  const old = alternatives(before, documents.released);
  const fresh = alternatives(after, documents.current);
  const names = new Set([...old.keys(), ...fresh.keys()]);
  return [...names].flatMap((name) => {
    const [one, other] = [old.get(name), fresh.get(name)];
    if (other === undefined) return [narrowed(direction, place, `The alternative ${name} is gone.`)];
    if (one === undefined) return [widened(direction, place, `The alternative ${name} is new.`)];
    return compareSchemas(direction, `${place}, ${name}`, one, other, documents);
  });
}

function alternatives(schema: Schema, document: OpenApiDocument): Map<string, Schema> {
  const options = schema.oneOf ?? [schema];
  return new Map(options.map((option) => [nameOf(option, document), option]));
}

/** By the values that tell them apart, else by kind: not by the names of components, which no one sends. */
function nameOf(option: Schema, document: OpenApiDocument): string {
  const { type, properties = {} } = follow(option, document);
  const constants = Object.entries(properties).flatMap(([name, property]) =>
    typeof property === "object" && property.const !== undefined
      ? [`${name} ${JSON.stringify(property.const)}`]
      : [],
  );
  return constants.length > 0 ? constants.join(" and ") : String(type);
}
