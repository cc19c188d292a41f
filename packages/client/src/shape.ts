/** Says which field is wrong and how, or nothing. */
export type Test = (value: unknown) => string | undefined;

export const any: Test = () => undefined;
export const string: Test = (value) => (typeof value === "string" ? undefined : " is no string");
export const boolean: Test = (value) => (typeof value === "boolean" ? undefined : " is no boolean");
export const integer: Test = (value) => (Number.isSafeInteger(value) ? undefined : " is no whole number");

/** Pairs of strings. */
export const meta: Test = (value) => {
  if (!isObject(value)) return " is no object";
  for (const key in value) if (typeof value[key] !== "string") return " holds what is no string";
  return undefined;
};

/** Absent, or as told. */
export const optional =
  (test: Test): Test =>
  (value) =>
    value === undefined ? undefined : test(value);

export const array =
  (test: Test): Test =>
  (value) => {
    if (!Array.isArray(value)) return " is no array";
    for (let index = 0; index < value.length; index++) {
      const fault = test(value[index]);
      if (fault !== undefined) return `[${index}]${fault}`;
    }
    return undefined;
  };

/** These fields, and those of another object; further ones pass. */
export const object = (fields: Readonly<Record<string, Test>>, base: Test = any): Test => {
  const tests = Object.entries(fields);
  return (value) => {
    if (!isObject(value)) return " is no object";
    for (const [name, test] of tests) {
      const fault = test(value[name]);
      if (fault !== undefined) return `.${name}${fault}`;
    }
    return base(value);
  };
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
