import { type Operation as ContractOperation, operations } from "@madang/contract";
import type { RouteName } from "../generated/operations";
import { routes } from "../generated/routes";
import type { AcceptedRequest } from "./handler";
import { ServiceError } from "./service-error";
import { validate } from "./validate";

/** The operation that a request is for. */
export interface MatchedRoute {
  readonly name: RouteName;
  readonly operation: ContractOperation;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the operation of a request. A path in front of `/v1` is ignored. */
export function findRoute(method: string, { pathname }: URL): MatchedRoute | undefined {
  for (const operation of operations) {
    const route = routes[operation.id];
    const pattern = new RegExp(`${route.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const found = route.method === method ? pattern.exec(pathname) : null;
    if (found) return { name: operation.id, operation, params: decode(found.groups ?? {}) };
  }
  return undefined;
}

/** Validates every part of a request against the contract, as the service does. */
export function acceptRequest(
  { operation: { route }, params }: MatchedRoute,
  url: URL,
  body: string | undefined,
): AcceptedRequest {
  const bodySchema = "body" in route ? route.body : undefined;
  return {
    // The contract has just checked the parts, and each handler names the fields of its operation.
    params: validate("path", route.pathParams, params) as AcceptedRequest["params"],
    query: validate("query", route.query, Object.fromEntries(url.searchParams)) as AcceptedRequest["query"],
    body: validate("body", bodySchema, parse(body)) as never,
  };
}

function parse(body: string | undefined): unknown {
  if (body === undefined || body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch {
    throw new ServiceError("invalid_json", "The body is not JSON.");
  }
}

function decode(params: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeURIComponent(value)]));
}
