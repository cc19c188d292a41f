import { type ExampleCall, exampleCall, sdkArguments } from "@madang/contract";
import * as z from "zod";
import type { DescribedOperation } from "./described-operation";

/** Code that calls an operation through the SDK, from the operation's first example. */
export function sdkSample(id: DescribedOperation["id"]): string {
  if (id === "events.stream") return listenSample;
  const { variantOf } = exampleCall(id).operation;
  if (variantOf !== undefined)
    return `// The client sends this request when it is created with \`bodilessDeletes: true\`.\n${sdkSample(variantOf)}`;
  const call = exampleCall(id);
  const expression = `chat.${id}(${sdkArguments(call).map(formatArgument).join(", ")})`;
  const success = successOf(call);
  if (success === undefined) return `await ${expression};`;
  if (!isPage(success)) return `const result = await ${expression};`;
  return `for await (const item of ${expression}) {\n  console.log(item);\n}`;
}

/** The loop of the SDK reconnects the stream. */
const listenSample = `for await (const event of chat.events.listen({ after: "latest" })) {
  console.log(event);
}`;

/** The schema of the success response, or undefined if it has no body. */
function successOf({ operation: { route } }: ExampleCall): unknown {
  const [, success] = Object.entries(route.responses).find(([status]) => Number(status) < 300) ?? [];
  return success instanceof z.ZodType ? success : undefined;
}

/** Whether the SDK returns a pager: the response carries the cursor of a next page, until there is none. */
function isPage(schema: unknown): boolean {
  if (schema instanceof z.ZodUnion) return schema.options.some(isPage);
  return schema instanceof z.ZodObject && schema.shape.next instanceof z.ZodOptional;
}

/** Formats a value as code: names without quotes, long objects over several lines. */
function formatArgument(value: unknown): string {
  const json = JSON.stringify(value, undefined, 2).replace(/^( *)"(\w+)": /gm, "$1$2: ");
  const oneLine = json.replace(/\n */g, " ").replace(/\[ | \]/g, (bracket) => bracket.trim());
  return oneLine.length <= 60 ? oneLine : json.replace(/(["\d}\]e])\n/g, "$1,\n");
}
