import type { Schema } from "../src/openapi/shape.ts";
import { breaking, type Change, type Direction, narrowed, widened } from "./change.ts";

const least = ["minLength", "minimum", "minItems", "minProperties"] as const;
const most = ["maxLength", "maximum", "maxItems", "maxProperties"] as const;
const forms = ["pattern", "format"] as const;

/** The limits of a value, and the forms that it must have. */
export function compareBounds(direction: Direction, place: string, before: Schema, after: Schema): Change[] {
  return [
    ...least.flatMap((name) => compareBound(direction, place, name, before[name], after[name], -1)),
    ...most.flatMap((name) => compareBound(direction, place, name, before[name], after[name], 1)),
    ...forms.flatMap((name) => compareForm(direction, place, name, before[name], after[name])),
  ];
}

/** `open` is where no bound is: beyond every number, on this side. */
function compareBound(
  direction: Direction,
  place: string,
  name: string,
  before: number | undefined,
  after: number | undefined,
  open: 1 | -1,
): Change[] {
  if (before === after) return [];
  const room = ((after ?? open * Infinity) - (before ?? open * Infinity)) * open;
  const what = `${name} changes from ${before ?? "none"} to ${after ?? "none"}.`;
  return [room < 0 ? narrowed(direction, place, what) : widened(direction, place, what)];
}

/** Two patterns cannot be put in order, so a change of one counts as both. */
function compareForm(
  direction: Direction,
  place: string,
  name: string,
  before: string | undefined,
  after: string | undefined,
): Change[] {
  if (before === after) return [];
  if (before === undefined) return [narrowed(direction, place, `The ${name} ${after} is new.`)];
  if (after === undefined) return [widened(direction, place, `The ${name} ${before} is gone.`)];
  return [breaking(place, `The ${name} changes from ${before} to ${after}.`)];
}
