import {
  errorCodesOf,
  exampleCall,
  isPermitted,
  openApiDocument,
  operationsWithSchemas,
  type Parameter,
  resolveSchema,
  type Schema,
} from "@madang/contract";
import type { JsonSchema, ObjectSchema, OperationData } from "../src/operation.ts";

const document = openApiDocument();

/** The operations of the contract as data for tools. Variants without a body are left out: they do the same. */
export const operations: readonly OperationData[] = operationsWithSchemas(document)
  .filter(({ variantOf }) => variantOf === undefined)
  .map((operation) => {
    const { id, route, summary, description, access, user, path, query, body, response } = operation;
    return {
      id,
      method: route.method,
      summary,
      description,
      access,
      user,
      scopes: listScopes(id).filter((scope) => isPermitted([scope], operation)),
      path: objectOf(path),
      query: objectOf(query),
      ...(body && { body: clean(body.schema) }),
      ...(response && { response: shapeOf(response) }),
      errors: errorCodesOf(operation),
      example: exampleOf(id),
    };
  });

function objectOf(parameters: readonly Parameter[]): ObjectSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      parameters.map(({ name, description = "", schema }) => [name, clean({ ...schema, description })]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

function exampleOf(id: Parameters<typeof exampleCall>[0]): OperationData["example"] {
  const { params, query, body } = exampleCall(id);
  return {
    ...(isFilled(params) && { path: params }),
    ...(isFilled(query) && { query }),
    ...(isFilled(body) && { body }),
  };
}

function isFilled(part: unknown): boolean {
  return Object.keys(Object(part)).length > 0;
}

/** The scopes that could name an operation: itself, the groups that contain it, and those of reads. */
function listScopes(id: string): string[] {
  const words = id.split(".");
  return ["read", id, ...words.slice(1).map((_, index) => `${words.slice(0, index + 1).join(".")}.*`)];
}

/** The schema with its references filled in, without what only the reference pages show. */
function clean(schema: Schema): JsonSchema {
  const { examples: _, id: __, ...rest } = resolveSchema(document, schema);
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => {
      if (key === "properties" || key === "patternProperties")
        return [
          key,
          Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, clean(Object(one))])),
        ];
      if (Array.isArray(value) && (key === "anyOf" || key === "oneOf" || key === "allOf"))
        return [key, value.map((one) => clean(Object(one)))];
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return [key, clean(Object(value))];
      return [key, value];
    }),
  );
}

/** Only the types of a response. No field is required: results leave out what a model rarely needs. */
function shapeOf(schema: Schema | boolean): JsonSchema {
  const { type, items, properties, anyOf, oneOf } = resolveSchema(document, schema);
  const choices = anyOf ?? oneOf;
  if (choices) {
    const shapes = choices.map(shapeOf);
    const objects = shapes.filter((shape) => shape.properties !== undefined);
    if (objects.length === shapes.length)
      return { type: "object", properties: Object.assign({}, ...objects.map((shape) => shape.properties)) };
    return {};
  }
  return {
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items: shapeOf(Object(items)) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shapeOf(property)]),
      ),
    }),
  };
}
