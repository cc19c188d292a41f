import { channelOperations } from "./channels";
import { exportOperations } from "./exports";
import type { Operation } from "./operation";
import { userOperations } from "./users";

/** In this order: what only reads comes before what changes what is read. */
export const operations: readonly Operation[] = [
  ...userOperations.slice(0, 2),
  ...exportOperations,
  ...channelOperations.slice(0, 2),
  ...userOperations.slice(2),
  ...channelOperations.slice(2),
];

export function findOperation(id: string): Operation {
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`Operations: ${operations.map((one) => one.id).join(", ")}`);
  return operation;
}
