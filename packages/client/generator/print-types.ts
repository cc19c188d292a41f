import type { OperationWithSchemas, Parameter, Schema } from "@madang/contract";
import { findSchema, isMap, itemsOf, nameOf, namesIn, optionsOf, requireSchema } from "./model.ts";

/** Requests take `undefined` for an absent field, and arrays that are read-only; responses have neither. */
type Direction = "request" | "response";

/** The named types of the contract as interfaces, documented with its descriptions. */
export function printTypes(operations: readonly OperationWithSchemas[]): string {
  const inRequests = operations.flatMap(({ body }) => (body ? [...namesIn(body.schema)] : []));
  const inResponses = [
    ...operations.flatMap(({ response }) => (response ? [...namesIn(response)] : [])),
    // Of the stream of events, whose response is text.
    ...namesIn({ $ref: "#/components/schemas/LiveEvent" }),
  ];
  const requests = [...new Set(inRequests)].map((name) => printType(name, "request"));
  const responses = [...new Set(inResponses)].map((name) => printType(name, "response"));
  const shared = inRequests.filter((name) => inResponses.includes(name));
  if (shared.length > 0) throw new Error(`Requests and responses share ${shared.join(", ")}.`);
  return [...responses, ...requests].join("\n");
}

/** An interface with the request and the response of every operation. */
export function printOperations(operations: readonly OperationWithSchemas[]): string {
  const members = operations.map(({ id, path, query, body, response }) => {
    const parts = [
      path.length > 0 && `path: { ${path.map(({ name }) => `${name}: string`).join("; ")} }`,
      query.length > 0 &&
        `query${query.some(({ required }) => required) ? "" : "?"}: { ${query.map(printInlineParameter).join("; ")} }`,
      body &&
        `body${body.required ? "" : "?"}: ${typeOf(body.schema, "request")}${body.required ? "" : " | undefined"}`,
      `response: ${response ? typeOf(response, "response") : "undefined"}`,
    ];
    return `  "${id}": { ${parts.filter(Boolean).join("; ")} };\n`;
  });
  const names = operations.flatMap(({ body, response }) =>
    [body?.schema, response].flatMap((schema) => (schema ? [...namesIn(schema)] : [])),
  );
  return `import type { ${[...new Set(names)].toSorted().join(", ")} } from "./types";

/** The parts of the request and the data of the response, for each operation. */
export interface Operations {
${members.join("")}}

/** Every route: those of the methods, and their variants without a body. */
export type RouteName = keyof Operations;
`;
}

function printType(name: string, direction: Direction): string {
  const schema = findSchema(name);
  const comment = printComment(name, schema.description, "");
  const { properties, required = [] } = schema;
  if (properties === undefined) return `${comment}export type ${name} = ${typeOf(schema, direction)};\n`;
  const fields = Object.entries(properties).map(([field, property]) =>
    printField(`${name}.${field}`, field, requireSchema(property), required.includes(field), direction),
  );
  const others = schema.additionalProperties === true ? "  [field: string]: unknown;\n" : "";
  return `${comment}export interface ${name} {\n${fields.join("")}${others}}\n`;
}

export function printField(
  location: string,
  name: string,
  schema: Schema,
  isRequired: boolean,
  direction: Direction,
): string {
  const optional = direction === "request" ? " | undefined" : "";
  const type = typeOf(schema, direction) + (isRequired ? "" : optional);
  const named = nameOf(schema);
  const description = schema.description ?? (named && findSchema(named).description);
  const defaultValue = schema.default === undefined ? "" : ` Default: \`${schema.default}\`.`;
  return `${printComment(location, description && description + defaultValue, "  ")}  ${name}${isRequired ? "" : "?"}: ${type};\n`;
}

function printInlineParameter({ name, required, schema }: Parameter): string {
  return `${name}${required ? "" : "?"}: ${typeOf(schema, "request")}${required ? "" : " | undefined"}`;
}

function printComment(location: string, description: string | undefined, indent: string): string {
  if (!description) throw new Error(`${location} has no description in the contract.`);
  return `${indent}/** ${description} */\n`;
}

/** A schema as a type. */
export function typeOf(schema: Schema, direction: Direction): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.format === "comma-separated") return "readonly string[]";
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const options = optionsOf(schema);
  if (options) return options.map((option) => typeOf(option, direction)).join(" | ");
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `${direction === "request" ? "readonly " : ""}${printItems(typeOf(itemsOf(schema), direction))}[]`;
    case "object":
      if (isMap(schema)) return "Record<string, string>";
      if (schema.properties === undefined && schema.additionalProperties === true)
        return "Record<string, unknown>";
  }
  throw new Error(`There is no type for ${JSON.stringify(schema)}: give an object an id in the contract.`);
}

function printItems(type: string): string {
  return type.includes(" ") ? `(${type})` : type;
}
