import {
  type OperationWithSchemas,
  openApiDocument,
  operationsWithSchemas,
  resolveSchema,
  type Schema,
} from "@madang/contract";

const document = openApiDocument();

/** What each resource is, such as `users.meta`: the description of its section. */
export const descriptions: ReadonlyMap<string, string> = new Map(
  operationsWithSchemas(document).map(({ id, tags: [name] }) => {
    const tag = document.tags.find((each) => each.name === name);
    return [id.slice(0, id.lastIndexOf(".")), tag?.description ?? ""];
  }),
);

/** The operations of the contract, in its order. An object without fields is no body: some servers need it to accept `{}`. */
export const operations: readonly OperationWithSchemas[] = operationsWithSchemas(document).map((operation) =>
  operation.body && isEmptyObject(operation.body.schema) ? { ...operation, body: undefined } : operation,
);

/** The name in `{ $ref: "#/components/schemas/User" }`. */
export function nameOf({ $ref }: Schema): string | undefined {
  return $ref?.replace("#/components/schemas/", "");
}

/** A schema by the name of its reference. */
export function findSchema(name: string): Schema {
  return resolveSchema(document, { $ref: `#/components/schemas/${name}` });
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
export function requireSchema(schema: Schema | boolean): Schema {
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

/** `userId` for `user_id`. */
export function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `UsersMetaMerge` for `users.meta.merge`. */
export function pascalCase(id: string): string {
  return id
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** `key` for `NewSubKey`: the name of a value of the type. */
export function lastWord(type: string): string {
  return type.replace(/^.*(?=[A-Z])/, "").toLowerCase();
}
