import { operations } from "@madang/contract";
import type { RequestHandler } from "express";
import { ServiceError } from "../errors";

/** What is left when no route took the request: a path that is known under other methods, or not at all. */
export function rejectUnknownRoute(): RequestHandler {
  const paths = [...new Set(operations.map(({ route }) => route.path))].map((path) => ({
    pattern: new RegExp(`^${path.replaceAll(/:[a-z_]+/g, "[^/]+")}$`),
    methods: operations.filter(({ route }) => route.path === path).map(({ route }) => route.method),
  }));
  return (request, response) => {
    const known = paths.find(({ pattern }) => pattern.test(request.path));
    if (known === undefined)
      throw new ServiceError("route_not_found", "There is no such route. The page /docs lists all of them.");
    const allowed = known.methods
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .join(", ");
    response.setHeader("Allow", allowed);
    throw new ServiceError(
      "method_not_allowed",
      `The method ${request.method} is not allowed here. Use ${allowed}.`,
    );
  };
}
