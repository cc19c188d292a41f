import { type OperationId, operations } from "@madang/contract";

const patterns = operations.map(({ id, route }) => ({
  id,
  method: route.method,
  path: new RegExp(`^${route.path.replace(/:\w+/g, "[^/]+")}$`),
}));

/** The operation that a request calls, or none. */
export function findOperation(method: string, path: string): OperationId | undefined {
  return patterns.find((pattern) => pattern.method === method && pattern.path.test(path))?.id;
}
