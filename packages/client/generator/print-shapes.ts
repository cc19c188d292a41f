import type { OperationWithSchemas, Schema } from "@madang/contract";
import { findSchema, isMap, itemsOf, nameOf, optionsOf, requireSchema } from "./model.ts";

/** The named schemas that the printed shapes refer to. A schema follows those that it refers to. */
const definitions = new Map<string, string>();

/** The named schemas of the responses as constants, written with the functions of src/route.ts. */
export function printShapes(operations: readonly OperationWithSchemas[]): string {
  for (const { response } of operations) if (response) printShape(response);
  return [...definitions].map(([name, definition]) => `const ${name} = ${definition};\n`).join("");
}

/** A schema as an expression. */
export function printShape(schema: Schema): string {
  const name = nameOf(schema);
  if (name === undefined) return printDefinition(schema);
  if (!definitions.has(name)) definitions.set(name, printDefinition(findSchema(name)));
  return name;
}

function printDefinition(schema: Schema): string {
  const options = optionsOf(schema);
  if (options) return schema.discriminator ? printVariants(schema, options) : printEither(options);
  if (isMap(schema)) return "map";
  if (schema.properties) return `object({ ${fieldsOf(schema).join(", ")} })`;
  switch (schema.type) {
    case "string":
    case "integer":
    case "boolean":
      return schema.type;
    case "array":
      return `array(${printShape(itemsOf(schema))})`;
  }
  throw new Error(`There is no shape for ${JSON.stringify(schema)}.`);
}

function fieldsOf({ properties = {}, required = [] }: Schema): string[] {
  return Object.entries(properties).map(([name, property]) => {
    const shape = printShape(requireSchema(property));
    return `${name}: ${required.includes(name) ? shape : `optional(${shape})`}`;
  });
}

/**
 * A union with a discriminator. An unknown value needs the fields that all options have. So does every value if an option
 * stands for several, as those of events do.
 */
function printVariants(schema: Schema, options: readonly Schema[]): string {
  const { mapping, propertyName } = Object(schema.discriminator);
  const common = printDefinition(commonOf(options.map((option) => findSchema(nameOf(option) ?? ""))));
  const names = Object.entries<string>(mapping);
  if (names.length > options.length) return common;
  const known = names.map(([value, $ref]) => `${JSON.stringify(value)}: ${printShape({ $ref })}`);
  return `variants("${propertyName}", { ${known.join(", ")} }, ${common})`;
}

/** An object with the fields that all of the objects have, in the same form. */
function commonOf([first = {}, ...others]: readonly Schema[]): Schema {
  const { properties = {}, required = [] } = first;
  const shared = Object.entries(properties).filter(([name]) =>
    others.every((other) => formOf(other, name) === formOf(first, name)),
  );
  return { type: "object", properties: Object.fromEntries(shared), required };
}

/** What a field is, apart from its values. An object that is not named is a map. */
function formOf({ properties = {}, required = [] }: Schema, name: string): string {
  const { $ref, type } = requireSchema(properties[name] ?? {});
  return `${$ref ?? type} ${required.includes(name)}`;
}

/** An object or an array. */
function printEither(options: readonly Schema[]): string {
  const array = options.find(({ type }) => type === "array");
  const object = options.find((option) => nameOf(option) !== undefined);
  if (options.length !== 2 || !array || !object)
    throw new Error("A union without a discriminator is of one array and one named object.");
  return `either(${printShape(object)}, ${printShape(array)})`;
}
