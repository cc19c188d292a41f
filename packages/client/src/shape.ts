/** The form of a value in a response. The generated routes are written with the functions of this file. */
export interface Shape {
  /**
   * What is wrong with a value, as a path and a rule, or nothing. `depth` says how many levels of objects are looked
   * into: 0 checks only the type, 1 also the fields. Fields that are not declared are allowed at any depth.
   */
  check(value: unknown, depth: number): string | undefined;
  /** Adds an empty object wherever a map is absent. Undefined when the value contains no map. */
  readonly complete?: (value: unknown) => void;
}

export const string: Shape = ofType("a string", (value) => typeof value === "string");
export const boolean: Shape = ofType("a boolean", (value) => typeof value === "boolean");
export const number: Shape = ofType("a number", (value) => typeof value === "number");
export const integer: Shape = ofType("a whole number", Number.isSafeInteger);

/** Keys and values that are strings, as in `meta`. The interface allows an empty one to be absent. */
export const map: Shape = {
  check(value, depth) {
    if (isAbsent(value, depth)) return undefined;
    if (!isObject(value)) return " is not an object";
    if (depth > 0)
      for (const key in value) if (typeof value[key] !== "string") return " has a value that is not a string";
    return undefined;
  },
};

/** A field that may be absent. */
export function optional({ check }: Shape): Shape {
  return { check: (value, depth) => (isAbsent(value, depth) ? undefined : check(value, depth)) };
}

/** The items are on the level of their array. */
export function array({ check, complete }: Shape): Shape {
  return {
    check(value, depth) {
      if (!Array.isArray(value)) return " is not an array";
      if (depth > 0)
        for (let index = 0; index < value.length; index++) {
          const fault = check(value[index], depth);
          if (fault !== undefined) return `[${index}]${fault}`;
        }
      return undefined;
    },
    ...(complete && { complete: (value) => void (Array.isArray(value) && value.forEach(complete)) }),
  };
}

export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return {
    check(value, depth) {
      if (!isObject(value)) return " is not an object";
      if (depth > 0)
        for (const [name, { check }] of entries) {
          const fault = check(value[name], depth - 1);
          if (fault !== undefined) return `.${name}${fault}`;
        }
      return undefined;
    },
    ...completeFields(entries),
  };
}

/** A union with a discriminator field. An object with an unknown value has the common fields. */
export function variants(field: string, known: Readonly<Record<string, Shape>>, common: Shape): Shape {
  const find = (value: unknown) => (isObject(value) && known[String(value[field])]) || common;
  return {
    check: (value, depth) => find(value).check(value, depth),
    complete: (value) => find(value).complete?.(value),
  };
}

/** An object, or an array of objects. */
export function either(one: Shape, list: Shape): Shape {
  const find = (value: unknown) => (Array.isArray(value) ? list : one);
  return {
    check: (value, depth) => find(value).check(value, depth),
    complete: (value) => find(value).complete?.(value),
  };
}

function completeFields(entries: readonly [string, Shape][]): Pick<Shape, "complete"> {
  const maps = entries.filter(([, shape]) => shape === map).map(([name]) => name);
  const parts = entries.flatMap(([name, { complete }]) => (complete ? [[name, complete] as const] : []));
  if (maps.length + parts.length === 0) return {};
  return {
    complete(value) {
      if (!isObject(value)) return;
      for (const name of maps) value[name] ??= {};
      for (const [name, complete] of parts) complete(value[name]);
    },
  };
}

/** A `null` counts as absent, except for the full check. */
function isAbsent(value: unknown, depth: number): boolean {
  return value === undefined || (value === null && depth < Number.POSITIVE_INFINITY);
}

function ofType(name: string, isRight: (value: unknown) => boolean): Shape {
  return { check: (value) => (isRight(value) ? undefined : ` is not ${name}`) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
