import type { OperationWithSchemas } from "@madang/contract";
import { inWordsOfSdk } from "./comments.ts";
import { pascalCase } from "./model.ts";
import { printField } from "./print-types.ts";

/** Whether the method returns a pager: its pages are requested by the cursor of the page before. */
export function isList({ query }: OperationWithSchemas): boolean {
  return query.some(({ name }) => name === "next");
}

/** The name of the type of the parameters of a query. Undefined for an operation without any. */
export function queryTypeOf({ id, query, sdk }: OperationWithSchemas): string | undefined {
  return query.length > 0 ? (sdk.query ?? `${pascalCase(id)}Query`) : undefined;
}

/** The types of the parameters of queries. The SDK calls `limit` `pageSize`, and sends `next` itself. */
export function printQueries(operations: readonly OperationWithSchemas[]): string {
  const types = new Map(operations.map((operation) => [queryTypeOf(operation), operation]));
  return [...types.values()].flatMap(printQuery).join("\n");
}

function printQuery(operation: OperationWithSchemas): string[] {
  const { id, query } = operation;
  const type = queryTypeOf(operation);
  if (type === undefined) return [];
  const fields = query
    .filter(({ name }) => name !== "next")
    .map(({ name, required, description = "", schema }) => {
      const about = { description: inWordsOfSdk(description) };
      return name === "limit"
        ? printField(`${id} limit`, "pageSize", { type: "integer", ...about }, required, "request")
        : printField(`${id} ${name}`, name, { ...schema, ...about }, required, "request");
    });
  const parent = isList(operation) ? " extends ListOptions" : "";
  return [`/** The parameters of \`${id}\`. */\nexport interface ${type}${parent} {\n${fields.join("")}}\n`];
}
