import type { Operation, Parameter } from "./model.ts";
import { printShape } from "./print-shapes.ts";

/** What the transport needs to know about each operation. */
export function printRoutes(operations: readonly Operation[]): string {
  const entries = operations.map((operation) => {
    const { id, route, idempotent, variantOf, errorWhenRepeated, response } = operation;
    const properties = [
      `method: "${route.method}"`,
      `path: "${route.path}"`,
      !idempotent && "idempotent: false",
      variantOf !== undefined && `variantOf: "${variantOf}"`,
      errorWhenRepeated !== undefined && `errorWhenRepeated: "${errorWhenRepeated}"`,
      printPageSize(operation),
      response && `response: ${printShape(response)}`,
    ];
    return `  "${id}": { ${properties.filter(Boolean).join(", ")} },\n`;
  });
  return `export const routes = {\n${entries.join("")}} satisfies Record<string, Route>;\n`;
}

function printPageSize({ query }: Operation): string | undefined {
  const { minimum, maximum } = query.find(({ name }) => name === "limit")?.schema ?? {};
  return minimum === undefined ? undefined : `pageSize: [${minimum}, ${maximum}]`;
}

/** The rules of the path parameters. A name means the same in every path. */
export function printPathParameters(operations: readonly Operation[]): string {
  const rules = new Map<string, string>();
  for (const { id, path } of operations)
    for (const parameter of path) {
      const rule = printRule(id, parameter);
      if ((rules.get(parameter.name) ?? rule) !== rule)
        throw new Error(`The path parameter ${parameter.name} of ${id} has another rule elsewhere.`);
      rules.set(parameter.name, rule);
    }
  const entries = [...rules].map(([name, rule]) => `  ${name}: ${rule},\n`);
  return `export const pathParameters: Readonly<Record<string, PathParameter>> = {\n${entries.join("")}};\n`;
}

function printRule(id: string, { name, description, schema }: Parameter): string {
  const { pattern = "", minLength = 1, maxLength } = schema;
  if (!description || maxLength === undefined)
    throw new Error(`The path parameter ${name} of ${id} has no description or no length.`);
  const rule = [`/${pattern}/u`, minLength, maxLength, JSON.stringify(description)];
  return `[${rule.join(", ")}]`;
}
