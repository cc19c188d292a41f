import { idPattern, openApiDocument, resolveSchema, type Schema } from "@madang/contract";
import type { FieldData, FieldKind } from "../src/commands/operations/operation.ts";

export const document = openApiDocument();

export const resolve = (schema: Schema | boolean) => resolveSchema(document, schema);

/** The fields of an object. Of a union: the fields of all its options; those of every option are required. */
export function fieldsOf(schema: Schema): FieldData[] {
  const { properties = {}, required = [], oneOf, anyOf } = resolve(schema);
  const options = oneOf ?? anyOf;
  if (options === undefined)
    return Object.entries(properties).map(([name, property]) =>
      readField(name, resolve(property), required.includes(name)),
    );
  const sets = options.map((option) => fieldsOf(resolve(option)));
  const names = [...new Set(sets.flat().map(({ name }) => name))];
  const fields = names.map((name) =>
    mergeFields(sets.map((set) => set.find((field) => field.name === name))),
  );
  const discriminator = fields.find(({ choices = [] }) => choices.length === options.length);
  return fields.map((field) => {
    if (field === discriminator) return { ...field, required: false, impliedBy: impliedBy(field.name, sets) };
    const own = sets.filter((set) => set.some(({ name }) => name === field.name));
    if (!field.secret || discriminator === undefined || own.length === sets.length) return field;
    return { ...field, onlyIf: { [discriminator.name]: own.map((set) => formOf(discriminator.name, set)) } };
  });
}

/** The value of a discriminator field that an option of a union requires. */
function formOf(discriminator: string, option: readonly FieldData[]): string {
  const [value = ""] = option.find(({ name }) => name === discriminator)?.choices ?? [];
  return value;
}

/**
 * The value of a discriminator field by each other field that only some options have: that of the first option with it. An id is
 * an argument and implies nothing.
 */
function impliedBy(discriminator: string, sets: readonly FieldData[][]): Record<string, string> {
  const isEverywhere = (name: string) => sets.every((set) => set.some((field) => field.name === name));
  const pairs = sets.flatMap((set) => {
    const value = formOf(discriminator, set);
    return set
      .filter(({ name }) => name !== discriminator && !name.endsWith("_id") && !isEverywhere(name))
      .map(({ name }) => [name, value] as const);
  });
  // Of several pairs with one name, the last one counts.
  return Object.fromEntries(pairs.toReversed());
}

/** One field of several options, some of which may not have it. */
function mergeFields(found: readonly (FieldData | undefined)[]): FieldData {
  const fields = found.filter((field) => field !== undefined);
  const [first] = fields;
  if (first === undefined) throw new Error("No option has the field.");
  const choices = fields.flatMap((field) => field.choices ?? []);
  const required = fields.every((field) => field.required);
  const everywhere = fields.length === found.length;
  return {
    ...first,
    required: required && everywhere,
    ...(!everywhere && first.name.endsWith("_id") && { isOptionalArgument: true as const }),
    // A discriminator field has a different description in each option.
    ...(choices.length > 1 && { choices, description: "" }),
  };
}

export function readField(name: string, declared: Schema, required: boolean): FieldData {
  const { schema, isNullable } = withoutNull(declared);
  const { description = "", enum: values, const: value, default: fallback, minimum, maximum } = schema;
  const choices = (values ?? (value === undefined ? undefined : [value]))?.map(String);
  const kind = kindOf(schema);
  return {
    name,
    description: fallback === undefined ? description : `${description} Default: ${fallback}.`,
    kind,
    required,
    ...(choices && { choices }),
    ...(isNullable && { nullable: true as const }),
    ...(isSecret(schema) && { secret: true }),
    ...(isOwnId(schema) && { isOwnId: true as const }),
    ...(kind === "object" && { fields: fieldsOf(schema) }),
    ...(minimum !== undefined && maximum !== undefined && { min: minimum, max: maximum }),
  };
}

/** The schema of a value that may also be null, without that. */
function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const options = schema.oneOf?.map(resolve) ?? [];
  const [only, ...others] = options.filter(({ type }) => type !== "null");
  if (only === undefined || others.length > 0 || options.length === 1) return { schema, isNullable: false };
  const { description } = schema;
  return { schema: { ...only, ...(description !== undefined && { description }) }, isNullable: true };
}

/** The id of a user or channel, or several. */
function isOwnId({ pattern, items }: Schema): boolean {
  if (items !== undefined && !Array.isArray(items)) return isOwnId(resolve(items));
  return pattern === idPattern.source;
}

/** A field that is never an argument and never printed in full. */
export function isSecret({ format }: Schema): boolean {
  return format === "password";
}

/** A time in milliseconds. */
export function isTime(schema: Schema): boolean {
  return schema.format === "unix-ms" || isEndTime(schema);
}

/** A time of which 0 is without end. */
export function isEndTime({ format }: Schema): boolean {
  return format === "unix-ms-or-0";
}

function kindOf(schema: Schema): FieldKind {
  if (isTime(schema)) return "time";
  const { type, properties, additionalProperties, items } = schema;
  switch (type) {
    case "string":
    case "integer":
    case "number":
    case "boolean":
      return type;
    case "object":
      if (properties === undefined && typeof additionalProperties === "object") return "map";
      return "object";
    case "array":
      if (items !== undefined && !Array.isArray(items) && resolve(items).type === "string") return "strings";
      return "json";
  }
  throw new Error(`There is no option for ${JSON.stringify(schema)}.`);
}
