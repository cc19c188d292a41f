import {
  findSchema,
  isMap,
  itemsOf,
  nameOf,
  namesIn,
  type Operation,
  optionsOf,
  requireSchema,
  type Schema,
} from "./model.ts";

/** The named schemas of the responses as constants, written with the functions of src/shape.ts. */
export function printShapes(operations: readonly Operation[]): string {
  const found = new Set<string>();
  for (const { response } of operations) if (response) namesIn(response, found);
  return [...found].map((name) => `const ${name} = ${printDefinition(findSchema(name))};\n`).join("");
}

/** A schema as an expression. */
export function printShape(schema: Schema): string {
  return nameOf(schema) ?? printDefinition(schema);
}

function printDefinition(schema: Schema): string {
  const options = optionsOf(schema);
  if (options) return schema.discriminator ? printVariants(schema, options) : printEither(options);
  if (isMap(schema)) return "map";
  if (schema.properties) return `object({ ${fieldsOf(schema).join(", ")} })`;
  switch (schema.type) {
    case "string":
    case "integer":
    case "number":
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

/** A union with a discriminator. An unknown value needs the fields that all options have. */
function printVariants(schema: Schema, options: readonly Schema[]): string {
  const mapping: Record<string, string> = Object(schema.discriminator).mapping;
  const names = Object.entries(mapping).map(
    ([value, $ref]) => `${JSON.stringify(value)}: ${nameOf({ $ref })}`,
  );
  const fields = options.map((option) => fieldsOf(findSchema(nameOf(option) ?? "")));
  const common = fields.reduce((one, other) => one.filter((field) => other.includes(field)));
  const { propertyName } = Object(schema.discriminator);
  return `variants("${propertyName}", { ${names.join(", ")} }, object({ ${common.join(", ")} }))`;
}

/** An object or an array. */
function printEither(options: readonly Schema[]): string {
  const array = options.find(({ type }) => type === "array");
  const object = options.find((option) => nameOf(option) !== undefined);
  if (options.length !== 2 || !array || !object)
    throw new Error("A union without a discriminator is of one array and one named object.");
  return `either(${printShape(object)}, ${printShape(array)})`;
}
