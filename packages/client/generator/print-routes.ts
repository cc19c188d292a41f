import {
  eventStreamOperation,
  idHint,
  idPattern,
  type OperationWithSchemas,
  type Parameter,
} from "@madang/contract";
import { printShape } from "./print-shapes.ts";

/** What the transport needs to know about each operation. */
export function printRoutes(operations: readonly OperationWithSchemas[]): string {
  const entries = operations.map((operation) => {
    const { id, route, variantOf, isRepeatable, hasEmptyPages, response } = operation;
    const properties = [
      `method: "${route.method}"`,
      `path: "${route.path}"`,
      variantOf !== undefined && `variantOf: "${variantOf}"`,
      printPageSize(operation),
      isRepeatable && "isRepeatable: true",
      hasEmptyPages && "hasEmptyPages: true",
      response && `response: ${printShape(response)}`,
    ];
    return `  "${id}": { ${properties.filter(Boolean).join(", ")} },\n`;
  });
  const { method, path } = eventStreamOperation.route;
  return [
    `export const routes = {\n${entries.join("")}} satisfies Record<string, Route>;`,
    "",
    "/** No operation of the contract, whose responses all end, but a method of the SDK. */",
    `export const eventStreamRoute: Route = { method: "${method}", path: "${path}" };`,
    "",
  ].join("\n");
}

/** What the contract requires of the path parameters. One with the same name has the same rule in every operation. */
export function printParameterRules(operations: readonly OperationWithSchemas[]): string {
  const rules = new Map<string, string>();
  for (const parameter of operations.flatMap(({ path }) => path)) {
    const rule = printParameterRule(parameter);
    if ((rules.get(parameter.name) ?? rule) !== rule)
      throw new Error(`Two operations have different rules for ${parameter.name}.`);
    rules.set(parameter.name, rule);
  }
  const entries = [...rules].map(([name, rule]) => `  ${name}: ${rule},\n`);
  return `export const parameterRules: Readonly<Record<string, ParameterRule>> = {\n${entries.join("")}};\n`;
}

function printParameterRule({ name, schema, description = "" }: Parameter): string {
  const { pattern, minLength, maxLength } = schema;
  if (pattern === undefined || minLength === undefined || maxLength === undefined || !description)
    throw new Error(
      `The path parameter ${name} has no pattern, no length or no description in the contract.`,
    );
  const hint = pattern === idPattern.source ? ` ${idHint}` : "";
  const message = `Must be ${description.charAt(0).toLowerCase()}${description.slice(1)}${hint}`;
  return `{ pattern: /${pattern}/u, length: [${minLength}, ${maxLength}], message: ${JSON.stringify(message)} }`;
}

function printPageSize({ query }: OperationWithSchemas): string | undefined {
  const { minimum, maximum } = query.find(({ name }) => name === "limit")?.schema ?? {};
  return minimum === undefined ? undefined : `pageSize: [${minimum}, ${maximum}]`;
}
