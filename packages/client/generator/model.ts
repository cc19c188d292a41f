import {
  type Operation as ContractOperation,
  operations as contractOperations,
  type ErrorCode,
  errorCodesOf,
  type OpenApiDocument,
  openApiDocument,
} from "@madang/contract";

export type Schema = OpenApiDocument["components"]["schemas"][string];
export type Property = NonNullable<Schema["properties"]>[string];

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** One operation of the contract, with JSON Schemas instead of Zod's. */
export interface Operation extends ContractOperation {
  readonly path: readonly Parameter[];
  readonly query: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly required: boolean } | undefined;
  /** Undefined when the response has no body. */
  readonly response: Schema | undefined;
  readonly errorCodes: readonly ErrorCode[];
}

const document = openApiDocument();

/** The named schemas of the contract. */
export const schemas: Readonly<Record<string, Schema>> = document.components.schemas;

/** The operations of the contract, in its order. */
export const operations: readonly Operation[] = contractOperations.map((operation) => {
  const { id, route } = operation;
  const described = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .find(({ operationId }) => operationId === id);
  if (described === undefined) throw new Error(`The OpenAPI document does not describe ${id}.`);
  const parameters = described.parameters ?? [];
  const body = described.requestBody;
  const bodySchema = body?.content["application/json"]?.schema;
  const response = described.responses[201] ?? described.responses[202] ?? described.responses[200];
  return {
    ...operation,
    path: parameters.filter((parameter) => parameter.in === "path"),
    query: parameters.filter((parameter) => parameter.in === "query"),
    // An object without fields is no body: some servers need it to accept `{}`.
    body:
      body && bodySchema && !isEmptyObject(bodySchema)
        ? { schema: bodySchema, required: body.required }
        : undefined,
    response: response && "content" in response ? response.content?.["application/json"]?.schema : undefined,
    errorCodes: errorCodesOf({ ...operation, route }),
  };
});

/** The name in `{ $ref: "#/components/schemas/User" }`. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.replace("#/components/schemas/", "");
}

/** A schema by the name of its reference. */
export function findSchema(name: string): Schema {
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The contract has no schema ${name}.`);
  return schema;
}

/** The options of a union. */
export function optionsOf({ oneOf, anyOf }: Schema): readonly Schema[] | undefined {
  return (oneOf ?? anyOf)?.map(requireSchema);
}

/** The schema of the items of an array. */
export function itemsOf({ items }: Schema): Schema {
  if (items === undefined || Array.isArray(items))
    throw new Error("An array of the contract has no item schema.");
  return requireSchema(items);
}

/** Whether an object has keys of the caller's choice, as metadata has. */
export function isMap({ type, properties, additionalProperties }: Schema): boolean {
  return type === "object" && properties === undefined && typeof additionalProperties === "object";
}

/** JSON Schema also allows `true` and `false`; the contract does not use them. */
export function requireSchema(schema: Property): Schema {
  if (typeof schema === "boolean") throw new Error("A schema of the contract is a boolean.");
  return schema;
}

/** The names of all schemas that one refers to. A schema follows those that it refers to. */
export function namesIn(schema: Schema, found = new Set<string>()): Set<string> {
  const name = nameOf(schema);
  if (name !== undefined) {
    if (!found.has(name)) {
      namesIn(findSchema(name), found);
      found.add(name);
    }
    return found;
  }
  const items = schema.type === "array" ? [itemsOf(schema)] : [];
  const parts = [...Object.values(schema.properties ?? {}), ...items, ...(optionsOf(schema) ?? [])];
  for (const part of parts) namesIn(requireSchema(part), found);
  return found;
}

function isEmptyObject({ type, properties }: Schema): boolean {
  return type === "object" && properties !== undefined && Object.keys(properties).length === 0;
}
