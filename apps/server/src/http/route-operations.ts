import { contract, operations } from "@madang/contract";
import { createExpressEndpoints } from "@ts-rest/express";
import { type RequestHandler, Router } from "express";

type Options = NonNullable<Parameters<typeof createExpressEndpoints>[3]>;

/** A node of the path tree: its children, and the router of each method that ends here. */
interface Node {
  readonly literals: Map<string, Node>;
  parameter?: Node;
  readonly routers: Map<string, Router>;
}

/**
 * Finds the operation of a request in a tree of path segments, so that the cost does not grow with the number of routes.
 * Each operation has an Express router with its one route.
 */
export function routeOperations<Handlers extends object>(
  handlers: Handlers,
  options: Options,
): RequestHandler {
  const root = createNode();
  for (const { id, route } of operations) {
    const router = Router({ strict: true, caseSensitive: true });
    addEndpoint(handlers, id, router, options);
    addPath(root, route.method, route.path, router);
    if (route.method === "GET") addPath(root, "HEAD", route.path, router);
  }
  return (request, response, next) => {
    const router = findRouter(root, request.method, request.path.split("/").slice(1));
    if (router === undefined) next();
    else router(request, response, next);
  };
}

function addEndpoint(handlers: object, id: string, router: Router, options: Options): void {
  const names = id.split(".");
  const pick = (of: object) => ({ [id]: names.reduce((router, name) => Object(router)[name], of) });
  // The handlers were held to the contract where they were made; picked out by name, that can no longer be seen.
  createExpressEndpoints(pick(contract) as never, pick(handlers) as never, router, options);
}

export const createNode = (): Node => ({ literals: new Map(), routers: new Map() });

export function addPath(root: Node, method: string, path: string, router: Router): void {
  let node = root;
  for (const segment of path.split("/").slice(1)) {
    const isParameter = segment.startsWith(":");
    const next = (isParameter ? node.parameter : node.literals.get(segment)) ?? createNode();
    if (isParameter) node.parameter = next;
    else node.literals.set(segment, next);
    node = next;
  }
  node.routers.set(method, router);
}

/** A literal segment comes before a parameter, which is tried where the literal leads to no route. */
export function findRouter(
  node: Node | undefined,
  method: string,
  [segment, ...rest]: readonly string[],
): Router | undefined {
  if (node === undefined) return undefined;
  if (segment === undefined) return node.routers.get(method);
  return findRouter(node.literals.get(segment), method, rest) ?? findRouter(node.parameter, method, rest);
}
