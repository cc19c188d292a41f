import type { Operation } from "./model.ts";
import { printShape } from "./print-shapes.ts";

/** What the transport needs to know about each operation. */
export function printRoutes(operations: readonly Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, route, idempotent, variantOf, errorWhenRepeated, response } = operation;
    const properties = [
      `method: "${route.method}"`,
      route.method === "POST" && idempotent && "idempotent: true",
      variantOf !== undefined && `variantOf: "${variantOf}"`,
      errorWhenRepeated !== undefined && `errorWhenRepeated: "${errorWhenRepeated}"`,
      printPageSize(operation),
      response && `response: ${printShape(response)}`,
      // Last: the path next to the name of the next route compresses best.
      `path: "${route.path}"`,
    ];
    return `  "${id}": { ${properties.filter(Boolean).join(", ")} },\n`;
  });
  return `export const routes = {\n${entries.join("")}} satisfies Record<string, Route>;\n`;
}

function printPageSize({ query }: Operation): string | undefined {
  const { minimum, maximum } = query.find(({ name }) => name === "limit")?.schema ?? {};
  return minimum === undefined ? undefined : `pageSize: [${minimum}, ${maximum}]`;
}
