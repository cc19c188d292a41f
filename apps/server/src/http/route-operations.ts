import { contract, operations } from "@madang/contract";
import { createExpressEndpoints } from "@ts-rest/express";
import { type RequestHandler, Router } from "express";

type Options = NonNullable<Parameters<typeof createExpressEndpoints>[3]>;

/** A place in the tree of paths: what goes on from here, and what is here, by method. */
interface Place {
  readonly named: Map<string, Place>;
  any?: Place;
  readonly routers: Map<string, Router>;
}

/**
 * Leads a request to its operation along a tree of path segments, so that its cost does not grow with the number of
 * routes: Express alone asks one route after the other. Each operation has a router of Express with that one route.
 */
export function routeOperations<Rooms extends object>(rooms: Rooms, options: Options): RequestHandler {
  const root = createPlace();
  for (const { id, route } of operations) {
    const router = Router({ strict: true, caseSensitive: true });
    addEndpoint(rooms, id, router, options);
    const place = openPath(root, route.path);
    place.routers.set(route.method, router);
    if (route.method === "GET") place.routers.set("HEAD", router);
  }
  return (request, response, next) => {
    const router = findPlace(root, request.path)?.routers.get(request.method);
    if (router === undefined) next();
    else router(request, response, next);
  };
}

function addEndpoint(rooms: object, id: string, router: Router, options: Options): void {
  const names = id.split(".");
  const pick = (of: object) => ({ [id]: names.reduce((router, name) => Object(router)[name], of) });
  // The handlers were held to the contract where they were made; picked out by name, that can no longer be seen.
  createExpressEndpoints(pick(contract) as never, pick(rooms) as never, router, options);
}

const createPlace = (): Place => ({ named: new Map(), routers: new Map() });

function openPath(root: Place, path: string): Place {
  let place = root;
  for (const segment of path.split("/").slice(1)) {
    const known = segment.startsWith(":") ? place.any : place.named.get(segment);
    const next = known ?? createPlace();
    if (segment.startsWith(":")) place.any = next;
    else place.named.set(segment, next);
    place = next;
  }
  return place;
}

function findPlace(root: Place, path: string): Place | undefined {
  let place: Place | undefined = root;
  for (const segment of path.split("/").slice(1)) place = place?.named.get(segment) ?? place?.any;
  return place;
}
