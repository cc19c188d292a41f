import { type Operation, operations } from "../operation-list";
import type { OperationMetadata } from "../operation-metadata";
import { eventStreamOperation } from "../operations/events/event-stream";

type ScopedOperation = Pick<OperationMetadata, "access"> & {
  readonly id: string;
  readonly variantOf?: string | undefined;
  readonly route: Pick<Operation["route"], "method">;
};

const all: readonly ScopedOperation[] = [...operations, eventStreamOperation];

export const scopeRule =
  "Must be `read`, an operation that a sub key can call, such as `messages.send`, a group of them, such as `messages.*`, or `console.sendAs`.";

/**
 * What a sub key needs, besides `messages.send`, to send messages in the name of users in the console. It is the scope of no operation
 * and in no group: a key for looking things up or for moderating does not include it.
 */
export const sendAsScope = "console.sendAs";

/** Whether it is `console.sendAs`, or there is an operation that a key gets with the scope. */
export const isScope = (scope: string) =>
  scope === sendAsScope || all.some((operation) => covers(scope, operation));

/** Whether a sub key may call the operation. Without scopes, it may call every operation that no scope must name. */
export function isPermitted(scopes: readonly string[] | undefined, operation: ScopedOperation): boolean {
  const { access } = operation;
  if (access === "any_scope") return true;
  if (scopes === undefined) return access === "any_key";
  return scopes.some((scope) => covers(scope, operation));
}

/** The scope of an operation. A variant has that of the operation that it replaces. */
export const scopeOf = ({ id, variantOf }: Pick<ScopedOperation, "id" | "variantOf">) => variantOf ?? id;

function covers(scope: string, operation: ScopedOperation): boolean {
  const { access, route } = operation;
  if (access !== "any_key" && access !== "named_scope") return false;
  if (scope === scopeOf(operation)) return true;
  if (access === "any_key" && scope === "read") return route.method === "GET";
  return isInGroup(scope, operation) && (access === "any_key" || isNamedGroup(scope));
}

/** `messages.*` contains everything below `messages`. */
const isInGroup = (scope: string, operation: ScopedOperation) =>
  scope.endsWith(".*") && scopeOf(operation).startsWith(scope.slice(0, -1));

/** Whether all operations of the group must be named. A scope for others, such as `messages.*`, grants none of those. */
const isNamedGroup = (scope: string) =>
  all.every((operation) => !isInGroup(scope, operation) || operation.access === "named_scope");
