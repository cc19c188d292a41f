import { operations } from "../generated/operations";
import type { OperationData } from "../operation";
import { readPage } from "../read-page";
import type { Context, Tool } from "../tool";
import { format, onlyData } from "./input";

const operation = { type: "string", description: "The name of an operation, such as messages.send." };
const path = {
  type: "object",
  description: "The parameters of the path.",
  additionalProperties: { type: "string" },
};
const query = { type: "object", description: "The parameters of the query." };
const body = { type: "object", description: "The body." };

const reads = operations.filter(({ method }) => method === "GET").map(({ id }) => id);
const changes = operations.filter(({ method }) => method !== "GET").map(({ id }) => id);

export const searchOperations: Tool = {
  name: "madang_search_operations",
  title: "Search operations",
  description:
    "Finds operations of the service for what the other tools cannot do. Without q: all that the key permits.",
  operations: reads,
  input: { q: { type: "string", maxLength: 100, description: "Words, such as: pin message." } },
  required: [],
  async run({ rights }, { q }) {
    const words = typeof q === "string" ? q.toLowerCase().split(/\s+/).filter(Boolean) : [];
    const found = [...rights.permitted.values()]
      .map((each) => ({ each, score: words.filter((word) => textOf(each).includes(word)).length }))
      .filter(({ score }) => words.length === 0 || score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, words.length === 0 ? undefined : 15)
      .map(({ each: { id, summary, method } }) => ({ operation: id, summary, reads: method === "GET" }));
    return {
      data: { operations: found },
      text: `${found.length} operations. madang_describe_operation shows the parameters of one.`,
    };
  },
};

const textOf = ({ id, summary, description }: OperationData) =>
  `${id} ${summary} ${description}`.toLowerCase();

export const describeOperation: Tool = {
  name: "madang_describe_operation",
  title: "Describe an operation",
  description: "The parameters, errors and an example of an operation.",
  operations: reads,
  input: { operation },
  required: ["operation"],
  async run(context, args) {
    const { id, method, summary, description, path, query, body, response, errors, example } =
      requirePermitted(context, args);
    const tool = method === "GET" ? "madang_read" : "madang_change";
    return {
      data: {
        operation: id,
        summary,
        description,
        path,
        query,
        ...(body && { body }),
        ...(response && { response }),
        errors,
        example,
      },
      text: `Call it with ${tool}.`,
    };
  },
};

export const read: Tool = {
  name: "madang_read",
  title: "Call an operation that reads",
  description: `Calls any operation that reads, by its name. ${onlyData}`,
  operations: reads,
  input: { operation, path, query, format },
  required: ["operation"],
  run: (context, args) => call(context, args, true),
};

export const change: Tool = {
  name: "madang_change",
  title: "Call an operation that changes",
  description: "Calls any operation that changes data, by its name. Describe it first.",
  operations: changes,
  input: { operation, path, query, body, format },
  required: ["operation"],
  run: (context, args) => call(context, args, false),
};

async function call(context: Context, args: Readonly<Record<string, unknown>>, isRead: boolean) {
  const { id, method, user, path } = requirePermitted(context, args);
  if ((method === "GET") !== isRead)
    throw new Error(
      `${id} ${isRead ? "changes data: call it with madang_change" : "reads: call it with madang_read"}.`,
    );
  const { userId } = context.rights;
  // A body without it is filled in by the service.
  const own =
    userId !== undefined && user === "self" && "user_id" in path.properties ? { user_id: userId } : {};
  const parts = {
    path: { ...own, ...asTexts(args.path) },
    query: Object(args.query),
    body: args.body === undefined ? undefined : Object(args.body),
  };
  const name = id as Parameters<typeof readPage>[1];
  const response = isRead
    ? await readPage(context, name, parts)
    : await context.chat.request(name, parts, context.options);
  const data = { ...Object(response) };
  return { data, text: `${id} is done.${typeof data.next === "string" ? continuationOf(id) : ""}` };
}

const continuationOf = (id: string) =>
  id === "events.list"
    ? " For what comes next, send `next` as `after`."
    : " There are more: send `next` alone in the query.";

const asTexts = (part: unknown) =>
  Object.fromEntries(Object.entries(Object(part)).map(([name, value]) => [name, String(value)]));

function requirePermitted(
  { rights }: Context,
  { operation }: Readonly<Record<string, unknown>>,
): OperationData {
  const found = rights.permitted.get(String(operation));
  if (found !== undefined) return found;
  throw new Error(
    operations.some(({ id }) => id === operation)
      ? "The key of this agent does not permit it."
      : "There is no such operation. madang_search_operations finds one.",
  );
}
