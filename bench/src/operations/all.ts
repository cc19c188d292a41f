import type { Operation } from "./operation";
import { reads } from "./reads";
import { deletions, writes } from "./writes";

export const operations: readonly Operation[] = [...reads, ...writes, ...deletions];

export function findOperation(id: string): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`Operations: ${operations.map((one) => one.id).join(", ")}`);
  return operation;
}
