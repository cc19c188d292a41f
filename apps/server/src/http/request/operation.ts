import { eventStreamOperation, type IdField, idFieldsOf, type Operation, operations } from "@madang/contract";
import { type AppRoute, ContractNoBody } from "@ts-rest/core";
import type { Request } from "express";

/** An operation of the contract, or the stream of events. */
export type AnyOperation = Pick<Operation, "access" | "user" | "selfField" | "route" | "maxBodyBytes"> & {
  readonly id: string;
  readonly variantOf?: string | undefined;
  /** The status of its response to an accepted request that changes something. */
  readonly acceptedStatus: number;
  /** What its audit entries name. */
  readonly idFields: readonly IdField[];
};

export function requireOperation(request: Request): AnyOperation {
  // ts-rest sets the route before any global middleware, but does not declare it in Express's types.
  const operation = operationOf.get((request as Request & { tsRestRoute: AppRoute }).tsRestRoute);
  if (operation === undefined) throw new Error("The route is not in the contract.");
  return operation;
}

/** Whether the operation has a body, required or optional. */
export function takesBody({ route }: Pick<AnyOperation, "route">): boolean {
  return "body" in route && route.body !== ContractNoBody;
}

const operationOf = new Map<AppRoute, AnyOperation>(
  [...operations, eventStreamOperation].map((operation) => [
    operation.route,
    { ...operation, acceptedStatus: acceptedStatusOf(operation), idFields: idFieldsOf(operation) },
  ]),
);

function acceptedStatusOf({ id, route }: Pick<AnyOperation, "id" | "route">): number {
  const status = Object.keys(route.responses)
    .map(Number)
    .findLast((each) => each < 400);
  if (status === undefined) throw new Error(`The operation ${id} has no response.`);
  return status;
}
