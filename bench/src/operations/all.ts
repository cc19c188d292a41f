import type { Operation } from "./operation";
import { reads } from "./reads";
import { writes } from "./writes";

/** The reads first, because the writes change what is read. */
export const operations: readonly Operation[] = [...reads, ...writes];

export function findOperation(id: string): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`Operations: ${operations.map((one) => one.id).join(", ")}`);
  return operation;
}
