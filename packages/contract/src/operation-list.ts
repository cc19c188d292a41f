import { type AppRoute, type AppRouter, isAppRoute } from "@ts-rest/core";
import { contract } from "./contract";
import { codesOf, type ErrorCode } from "./errors/errors";
import type { OperationMetadata } from "./operation-metadata";

/** The dotted path of every route below a router. */
type RouteId<Router> = {
  [Name in keyof Router & string]: Router[Name] extends AppRoute ? Name : `${Name}.${RouteId<Router[Name]>}`;
}[keyof Router & string];

/** The name of an operation: its path in the contract, which is the path of its SDK method, e.g. `users.meta.merge`. */
export type OperationId = RouteId<typeof contract>;

export interface Operation extends Omit<OperationMetadata, "variantOf"> {
  readonly id: OperationId;
  readonly variantOf?: OperationId;
  readonly route: AppRoute;
}

/** The codes of the errors that an operation can return. */
export function errorCodesOf({ route }: Pick<Operation, "route">): ErrorCode[] {
  return Object.entries(route.responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([, response]) => codesOf(response));
}

/** Every operation of the contract as a flat list, in its order. */
export const operations: readonly Operation[] = listRoutes(contract, []);

function listRoutes(router: AppRouter, path: readonly string[]): Operation[] {
  return Object.entries(router).flatMap(([name, entry]) => {
    const names = [...path, name];
    if (!isAppRoute(entry)) return listRoutes(entry, names);
    // The names come from the contract itself, and every route of it carries our metadata.
    const metadata = entry.metadata as Omit<Operation, "id" | "route">;
    return [{ ...metadata, id: names.join(".") as OperationId, route: entry }];
  });
}
