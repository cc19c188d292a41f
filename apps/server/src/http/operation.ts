import { type Operation, operations } from "@madang/contract";
import { type AppRoute, ContractNoBody } from "@ts-rest/core";
import type { Request } from "express";

/** The operation that a request reached. */
export function requireOperation(request: Request): Operation {
  // ts-rest puts the route on the request before any global middleware, without saying so to Express's types.
  const operation = operationOf.get((request as Request & { tsRestRoute: AppRoute }).tsRestRoute);
  if (operation === undefined) throw new Error("A route that is not in the contract was called.");
  return operation;
}

/** Whether the operation reads a body, be it an optional one. */
export function takesBody({ route }: Operation): boolean {
  return "body" in route && route.body !== ContractNoBody;
}

const operationOf = new Map(operations.map((operation) => [operation.route, operation]));
