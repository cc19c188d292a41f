import { exampleCall, sdkArguments } from "../examples/calls";
import { type Operation, operations } from "../operation-list";
import type { DescribedOperation } from "../operations/events/event-stream";
import type { OperationObject, Schema } from "./shape";

type Described = Pick<OperationObject, "parameters" | "responses">;
type Schemas = Readonly<Record<string, Schema>>;

/** Code that calls an operation through the SDK: that of its metadata, or the call with its first example. */
export function sdkSample(operation: DescribedOperation, described: Described, schemas: Schemas): string {
  const { id, variantOf, sdk } = operation;
  if (sdk.example !== undefined) return sdk.example;
  const method = operations.find((each) => each.id === (variantOf ?? id));
  if (method === undefined) throw new Error(`${id} is no method of the SDK: its metadata has to show one.`);
  const code = method.sdk.example ?? printCall(method, described, schemas);
  return variantOf === undefined
    ? code
    : `// A client with \`bodilessDeletes: true\` sends this request.\n${code}`;
}

function printCall(
  operation: Operation,
  { parameters = [], responses }: Described,
  schemas: Schemas,
): string {
  const { id } = operation;
  const call = `chat.${id}(${sdkArguments(exampleCall(id))
    .map((value) => printValue(value))
    .join(", ")})`;
  const response = successOf(responses);
  if (response === undefined) return `await ${call};`;
  const schema = schemas[nameOf(response) ?? ""] ?? {};
  if (!parameters.some(({ name }) => name === "next")) {
    const [only, ...others] = Object.entries(schema.properties ?? {});
    const list = others.length === 0 && Object(only?.[1]).type === "array" ? `{ ${only?.[0]} }` : undefined;
    // A bare list is named like its resource.
    return `const ${list ?? variableOf(response) ?? id.split(".").at(-2)} = await ${call};`;
  }
  const { items } = Object(schema.properties?.[itemsFieldOf(operation, schema)]);
  const item = variableOf(items) ?? "item";
  return `for await (const ${item} of ${call}) console.log(${item});`;
}

/** The field of a page with its items: its only list, or the one that the contract names. */
export function itemsFieldOf(
  { id, sdk }: Pick<Operation, "id" | "sdk">,
  { properties = {} }: Schema,
): string {
  const lists = Object.keys(properties).filter((name) => Object(properties[name]).type === "array");
  const found = sdk.items ?? lists[0];
  if (found === undefined || (lists.length > 1 && sdk.items === undefined))
    throw new Error(`${id} has ${lists.length} lists: \`items\` has to name one in the contract.`);
  return found;
}

function successOf(responses: Described["responses"]): Schema | undefined {
  const success = Object.entries(responses).find(([status]) => Number(status) < 400)?.[1];
  return success && "content" in success ? success.content?.["application/json"]?.schema : undefined;
}

const nameOf = ({ $ref }: Schema) => $ref?.split("/").at(-1);

/** `key` for `NewSubKey`, `webhook` for `WebhookWithSecret`: the name of a value of the type. */
const variableOf = (schema: Schema) =>
  nameOf(schema)
    ?.replace(/With.*$/, "")
    .replace(/^.*(?=[A-Z])/, "")
    .toLowerCase();

const maxWidth = 90;

/** A value as code: names without quotes, what is long over several lines. */
function printValue(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => printValue(item, inner))
    : Object.entries(value).map(([name, field]) => `${name}: ${printValue(field, inner)}`);
  const [open, space, close] = Array.isArray(value) ? ["[", "", "]"] : ["{", " ", "}"];
  const line = `${open}${space}${parts.join(", ")}${space}${close}`;
  if (line.length <= maxWidth) return line;
  return `${open}${parts.map((part) => `\n${inner}${part},`).join("")}\n${indent}${close}`;
}
