/** The form of a value in a response. The generated routes are written with the functions of this file. */
export interface Shape {
  /**
   * What is wrong with a value, as a path and a rule, or nothing. `depth` says how many levels of objects are looked
   * into: 0 checks only the type, 1 also the fields. Fields that are not declared are allowed at any depth.
   * Also adds an empty object wherever a map is absent, below `depth` as well.
   */
  check(value: unknown, depth: number): string | undefined;
  /** Whether the value may contain maps: only such values are looked into below `depth`. */
  readonly hasMaps: boolean;
}

/** The depth of values that are only searched for maps. */
const unchecked = -1;

export const string: Shape = ofType("a string", (value) => typeof value === "string");
export const boolean: Shape = ofType("a boolean", (value) => typeof value === "boolean");
export const number: Shape = ofType("a number", (value) => typeof value === "number");
export const integer: Shape = ofType("a whole number", Number.isSafeInteger);

/** Keys and values that are strings, as in `meta`. The interface allows an empty one to be absent. */
export const map: Shape = {
  hasMaps: true,
  check(value, depth) {
    if (depth < 0) return undefined;
    if (!isObject(value)) return " is not an object";
    if (depth > 0)
      for (const key in value) if (typeof value[key] !== "string") return " has a value that is not a string";
    return undefined;
  },
};

/** A field that may be absent. */
export function optional({ check, hasMaps }: Shape): Shape {
  return { hasMaps, check: (value, depth) => (isAbsent(value, depth) ? undefined : check(value, depth)) };
}

/** The items are on the level of their array. */
export function array({ check, hasMaps }: Shape): Shape {
  return {
    hasMaps,
    check(value, depth) {
      if (!Array.isArray(value)) return depth < 0 ? undefined : " is not an array";
      if (depth > 0 || hasMaps)
        for (let index = 0; index < value.length; index++) {
          const fault = check(value[index], depth > 0 ? depth : unchecked);
          if (fault !== undefined) return `[${index}]${fault}`;
        }
      return undefined;
    },
  };
}

export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  const withMaps = entries.filter(([, { hasMaps }]) => hasMaps);
  return {
    hasMaps: withMaps.length > 0,
    check(value, depth) {
      if (!isObject(value)) return depth < 0 ? undefined : " is not an object";
      for (const [name, shape] of depth > 0 ? entries : withMaps) {
        if (shape === map && isAbsent(value[name], depth)) value[name] = {};
        const fault = shape.check(value[name], depth > 0 ? depth - 1 : unchecked);
        if (fault !== undefined) return `.${name}${fault}`;
      }
      return undefined;
    },
  };
}

/** A union with a discriminator field. An object with an unknown value has the common fields. */
export function variants(field: string, known: Readonly<Record<string, Shape>>, common: Shape): Shape {
  const all = [common, ...Object.values(known)];
  return choose(all, (value) => (isObject(value) && known[String(value[field])]) || common);
}

/** An object, or an array of objects. */
export function either(one: Shape, list: Shape): Shape {
  return choose([one, list], (value) => (Array.isArray(value) ? list : one));
}

function choose(shapes: readonly Shape[], find: (value: unknown) => Shape): Shape {
  return {
    hasMaps: shapes.some(({ hasMaps }) => hasMaps),
    check: (value, depth) => find(value).check(value, depth),
  };
}

/** A `null` counts as absent, except for the full check. */
function isAbsent(value: unknown, depth: number): boolean {
  return value === undefined || (value === null && depth < Number.POSITIVE_INFINITY);
}

function ofType(name: string, isRight: (value: unknown) => boolean): Shape {
  return { hasMaps: false, check: (value) => (isRight(value) ? undefined : ` is not ${name}`) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
