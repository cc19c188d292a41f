import { type AppRoute, isAppRoute } from "@ts-rest/core";
import type { OperationMetadata } from "./access";
import { contract } from "./contract";

type Contract = typeof contract;

/** The name of an operation: its router and its key, e.g. `users.create`. */
export type OperationId = {
  [Router in keyof Contract]: `${Router & string}.${keyof Contract[Router] & string}`;
}[keyof Contract];

export interface Operation extends OperationMetadata {
  readonly id: OperationId;
  readonly route: AppRoute;
}

/** Every operation of the contract as a flat list, in its order. */
export const operations: readonly Operation[] = Object.entries(contract).flatMap(([routerName, router]) =>
  Object.entries(router)
    .filter(([, route]) => isAppRoute(route))
    .map(([name, route]) => ({
      // Object.entries forgets which keys belong together; the two names come from the contract itself.
      id: `${routerName}.${name}` as OperationId,
      route,
      ...(route.metadata as OperationMetadata),
    })),
);
