import type { Schema } from "../src/openapi/shape.ts";
import { breaking, type Change, type Direction, harmless, narrowed, widened } from "./change.ts";
import type { Documents } from "./compare-contracts.ts";
import { compareSchemas } from "./compare-schemas.ts";

/** The fields of an object. What is sent is closed, what is answered is open: a new field harms in neither way. */
export function compareProperties(
  direction: Direction,
  place: string,
  before: Schema,
  after: Schema,
  documents: Documents,
): Change[] {
  const [old, fresh] = [before.properties ?? {}, after.properties ?? {}];
  const names = new Set([...Object.keys(old), ...Object.keys(fresh)]);
  return [...names].flatMap((name) => {
    const at = `${place}, ${name}`;
    const wasRequired = before.required?.includes(name) ?? false;
    const isRequired = after.required?.includes(name) ?? false;
    if (!(name in fresh)) return [breaking(at, "The field is gone.")];
    if (!(name in old)) {
      return [
        direction === "sent" && isRequired
          ? breaking(at, "The field is new and required.")
          : harmless(at, "The field is new."),
      ];
    }
    return [
      ...comparePresence(direction, at, wasRequired, isRequired),
      ...compareSchemas(direction, at, schemaOf(old[name]), schemaOf(fresh[name]), documents),
    ];
  });
}

function comparePresence(direction: Direction, place: string, before: boolean, after: boolean): Change[] {
  if (before === after) return [];
  return [
    after
      ? narrowed(direction, place, "The field must be there now.")
      : widened(direction, place, "The field may be left out now."),
  ];
}

function schemaOf(property: Schema | boolean | undefined): Schema {
  return typeof property === "object" ? property : {};
}
