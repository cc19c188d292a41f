import { eventStreamOperation, operations } from "@madang/contract";
import type { RequestHandler } from "express";
import { ServiceError } from "../../errors/service-error";

/** Rejects requests that match no route: with 405 if the path has other methods, otherwise with 404. */
export function rejectUnknownRoute(): RequestHandler {
  const known = [...operations, eventStreamOperation];
  const paths = [...new Set(known.map(({ route }) => route.path))].map((path) => ({
    pattern: new RegExp(`^${path.replaceAll(/:[a-z_]+/g, "[^/]+")}$`),
    methods: known.filter(({ route }) => route.path === path).map(({ route }) => route.method),
  }));
  return (request, response) => {
    const found = paths.find(({ pattern }) => pattern.test(request.path));
    if (found === undefined)
      throw new ServiceError("route_not_found", "There is no such route. See /docs for all routes.");
    const allowed = found.methods
      .flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))
      .join(", ");
    response.setHeader("Allow", allowed);
    throw new ServiceError(
      "method_not_allowed",
      `The method ${request.method} is not allowed for this route. Use ${allowed}.`,
    );
  };
}
