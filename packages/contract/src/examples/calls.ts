import * as z from "zod";
import { type Operation, type OperationId, operations } from "../operation-list";

/** The values of an operation's first example, as a program sends them. */
export interface ExampleCall {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Absent where the operation has no body. */
  readonly body?: unknown;
}

/** The call that the first example of an operation describes. */
export function exampleCall(id: OperationId): ExampleCall {
  const operation = requireOperation(id);
  const { route, examples } = operation;
  const [request] = Object.values(examples.requests ?? {});
  const params = exampleParams(route.pathParams);
  return { operation, params, query: examples.query ?? {}, body: request?.value };
}

/**
 * Every operation at least once, in an order in which a server accepts the example of each: creations first, deletions
 * last, and what takes rights from the user of the examples when only the channel and the user are left to delete.
 */
export const exampleOrder: readonly OperationId[] = [
  ...operations.filter(isCreation),
  ...operations.filter(
    (operation) =>
      !isCreation(operation) &&
      !isDeletion(operation) &&
      !isRestriction(operation) &&
      !isAboutErasure(operation),
  ),
  ...deletions().flatMap((deletion) =>
    deletion.id === "channels.delete" ? [...operations.filter(isRestriction), deletion] : [deletion],
  ),
  ...operations.filter(isAboutErasure),
].map(({ id }) => id);

function deletions(): Operation[] {
  return operations.filter(isDeletion).toReversed().flatMap(withRepetition);
}

function isCreation({ route }: Operation): boolean {
  return "201" in route.responses;
}

/** What the user of the examples may do less after it. */
function isRestriction({ id }: Operation): boolean {
  return id === "channels.members.mute" || id === "channels.bans.add" || id === "users.suspend";
}

/** The user of the examples does not exist after an erasure. */
function isAboutErasure({ id }: Operation): boolean {
  return id === "privacy.erase" || id === "privacy.list" || id === "privacy.get";
}

function isDeletion({ route, variantOf }: Operation): boolean {
  return route.method === "DELETE" || (variantOf !== undefined && isDeletion(requireOperation(variantOf)));
}

/** What a variant deleted is created again for the operation that it varies. */
function withRepetition(operation: Operation): Operation[] {
  if (operation.variantOf === undefined) return [operation];
  const { path } = requireOperation(operation.variantOf).route;
  return [operation, ...operations.filter(({ route }) => route.method === "POST" && route.path === path)];
}

function requireOperation(id: OperationId): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`The contract has no operation ${id}.`);
  return operation;
}

/**
 * The calls of a tour through the examples of the contract. Values that the server assigns (message ids, keys) replace
 * those of the examples as soon as a response has carried them.
 */
export class ExampleTour {
  readonly #assigned = new Map<string, string>();

  /** The next call of an operation. */
  prepare(id: OperationId): ExampleCall {
    const { operation, ...sent } = exampleCall(id);
    // Only strings are replaced by strings.
    return {
      ...(JSON.parse(this.replaceIn(JSON.stringify(sent))) as Omit<ExampleCall, "operation">),
      operation,
    };
  }

  /** A text, such as a call sample, with the assigned values in place of those of the examples. */
  replaceIn(text: string): string {
    let replaced = text;
    for (const [example, assigned] of this.#assigned)
      replaced = replaced.replaceAll(new RegExp(`(?<=["/])${example}(?=["/?]|$)`, "gm"), assigned);
    return replaced;
  }

  /** Remembers a value that the server assigned in another call, in place of that of an example. */
  assign(example: string, assigned: string): void {
    this.#assigned.set(example, assigned);
  }

  /** Remembers the values that the server assigned. */
  accept({ examples }: Operation, body: unknown): void {
    const [example] = Object.values(examples.responses ?? {});
    for (const [name, value] of Object.entries(Object(example?.value)))
      if (typeof value === "string" && serverAssigned.has(name))
        this.#assigned.set(value, String(Object(body)[name]));
  }
}

/** Fields of responses that later calls send. */
const serverAssigned = new Set([
  "message_id",
  "key",
  "webhook_id",
  "report_id",
  "filter_id",
  "hook_id",
  "erasure_id",
  "file_id",
  "secret",
  "next",
]);

/** The arguments of the SDK method: path parameters, then the query as options, then the body or its only field. */
export function sdkArguments({ operation, params, query, body }: ExampleCall): unknown[] {
  const options = Object.entries(query).map(([name, value]) =>
    name === "limit" ? ["pageSize", Number(value)] : [name, value],
  );
  return [
    ...Object.values(params),
    ...(options.length > 0 ? [Object.fromEntries(options)] : []),
    ...(body === undefined ? [] : hasOneField(operation) ? Object.values(Object(body)) : [body]),
  ];
}

function hasOneField({ route }: Operation): boolean {
  const body: unknown = "body" in route ? route.body : undefined;
  const schema = body instanceof z.ZodOptional ? body.unwrap() : body;
  return schema instanceof z.ZodObject && Object.keys(schema.shape).length === 1;
}

function exampleParams(pathParams: unknown): Record<string, string> {
  if (!(pathParams instanceof z.ZodObject)) return {};
  return Object.fromEntries(
    Object.entries<z.ZodType>(pathParams.shape).map(([name, schema]) => {
      const [example]: unknown[] = Object.values(schema.meta()?.examples ?? []);
      return [name, String(example)];
    }),
  );
}
