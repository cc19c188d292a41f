import {
  operations as contractOperations,
  errorCodesOf,
  exampleCall,
  isPermitted,
  openApiDocument,
} from "@madang/contract";
import type { JsonSchema, ObjectSchema, OperationData } from "../src/operation.ts";

const document = openApiDocument();
const described = Object.values(document.paths).flatMap((item) => Object.values(item));

/** The operations of the contract as data for tools. Variants without a body are left out: they do the same. */
export const operations: readonly OperationData[] = contractOperations
  .filter(({ variantOf }) => variantOf === undefined)
  .map((operation) => {
    const { id, route, access } = operation;
    const found = described.find(({ operationId }) => operationId === id);
    if (found === undefined) throw new Error(`The OpenAPI document does not describe ${id}.`);
    const { parameters = [], requestBody, responses } = found;
    const parametersIn = (location: string): ObjectSchema => {
      const those = parameters.filter((parameter) => parameter.in === location);
      return {
        type: "object",
        properties: Object.fromEntries(
          those.map(({ name, description, schema }) => [name, clean({ ...schema, description })]),
        ),
        required: those.filter(({ required }) => required).map(({ name }) => name),
        additionalProperties: false,
      };
    };
    const body = requestBody?.content["application/json"]?.schema;
    const accepted = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
    const response = Object(accepted).content?.["application/json"]?.schema;
    return {
      id,
      method: route.method,
      summary: found.summary,
      description: found.description,
      access,
      scopes: listScopes(id).filter((scope) => isPermitted([scope], operation)),
      path: parametersIn("path"),
      query: parametersIn("query"),
      ...(body && { body: clean(body) }),
      ...(response && { response: shapeOf(response) }),
      errors: errorCodesOf(operation),
      example: exampleOf(id),
    };
  });

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
function clean(schema: JsonSchema): JsonSchema {
  const { examples: _, id: __, ...rest } = resolve(schema);
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
        return [key, clean(value as JsonSchema)];
      return [key, value];
    }),
  );
}

/** Only the types of a response. No field is required: results leave out what a model rarely needs. */
function shapeOf(schema: JsonSchema): JsonSchema {
  const found = resolve(schema);
  const { type, items, properties, anyOf, oneOf } = found;
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) {
    const shapes = choices.map((choice) => shapeOf(Object(choice)));
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
        Object.entries(Object(properties)).map(([name, one]) => [name, shapeOf(Object(one))]),
      ),
    }),
  };
}

function resolve(schema: JsonSchema): JsonSchema {
  const { $ref, ...rest } = schema;
  if (typeof $ref !== "string") return schema;
  const name = $ref.slice($ref.lastIndexOf("/") + 1);
  const found = document.components.schemas[name];
  if (found === undefined) throw new Error(`There is no schema ${name}.`);
  return { ...resolve(found as JsonSchema), ...rest };
}
