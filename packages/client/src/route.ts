import type { Operation } from "./generated/types";

// The generated table of routes is written with the types and functions of this file.

/** An operation as the transport needs to know it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The method that sends this route. Default: the one with the name of the route. */
  readonly variantOf?: Operation;
  /** The bounds of `pageSize`, for a list. */
  readonly pageSize?: readonly [min: number, max: number];
  /** Whether sending the request again changes nothing, so that it needs no idempotency key. */
  readonly isRepeatable?: boolean;
  /** Whether an empty page of the list may be followed by others, as in a search. */
  readonly hasEmptyPages?: boolean;
  /** Absent when the response has no body. */
  readonly response?: Shape;
}

/** What the contract requires of a path parameter. */
export interface ParameterRule {
  readonly pattern: RegExp;
  /** In characters. */
  readonly length: readonly [min: number, max: number];
  /** The rule as a sentence. */
  readonly message: string;
}

/**
 * The form of a value in a response: a function that returns what is wrong with a value, as a path and a rule, or nothing.
 * `depth` is the number of levels of objects that are checked: 0 checks only the type, 1 also the fields. Fields that are not
 * declared are allowed at any depth. Also adds an empty object wherever a map is absent, below `depth` as well.
 */
export type Shape = (value: unknown, depth: number) => string | undefined;

export const string: Shape = ofType("a string", (value) => typeof value === "string");
export const boolean: Shape = ofType("a boolean", (value) => typeof value === "boolean");
export const integer: Shape = ofType("a whole number", Number.isSafeInteger);

/** These have no map in them. */
const plain = new Set([string, boolean, integer]);

/** Keys and values that are strings, as in `meta`. The interface allows an empty one to be absent. */
export const map: Shape = (value, depth) => {
  if (!isObject(value)) return " is not an object";
  if (depth > 0)
    for (const key in value) if (typeof value[key] !== "string") return " has a value that is not a string";
  return undefined;
};

/** A field that may be absent. */
export function optional(shape: Shape): Shape {
  return asPlainAs(shape, (value, depth) => (isAbsent(value, depth) ? undefined : shape(value, depth)));
}

/** The items are on the level of their array. */
export function array(shape: Shape): Shape {
  return asPlainAs(shape, (value, depth) => {
    if (!Array.isArray(value)) return " is not an array";
    for (let index = 0; index < value.length; index++) {
      const fault = shape(value[index], depth);
      if (fault && depth > 0) return `[${index}]${fault}`;
    }
    return undefined;
  });
}

export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  const withMaps = entries.filter(([, shape]) => !plain.has(shape));
  return (value, depth) => {
    if (!isObject(value)) return " is not an object";
    for (const [name, shape] of depth > 0 ? entries : withMaps) {
      if (shape === map && isAbsent(value[name], depth)) value[name] = {};
      const fault = shape(value[name], depth - 1);
      if (fault && depth > 0) return `.${name}${fault}`;
    }
    return undefined;
  };
}

/** A union with a discriminator field. An object with an unknown value has the common fields. */
export function variants(field: string, known: Readonly<Record<string, Shape>>, common: Shape): Shape {
  const shapes = new Map(Object.entries(known));
  return (value, depth) => (shapes.get(Object(value)[field]) ?? common)(value, depth);
}

/** An object, or an array of objects. */
export function either(one: Shape, list: Shape): Shape {
  return (value, depth) => (Array.isArray(value) ? list : one)(value, depth);
}

/** A `null` counts as absent, except for the full check. */
function isAbsent(value: unknown, depth: number): boolean {
  return value === undefined || (value === null && depth < Number.POSITIVE_INFINITY);
}

function asPlainAs(part: Shape, shape: Shape): Shape {
  if (plain.has(part)) plain.add(shape);
  return shape;
}

function ofType(name: string, isRight: (value: unknown) => boolean): Shape {
  return (value) => (isRight(value) ? undefined : ` is not ${name}`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
