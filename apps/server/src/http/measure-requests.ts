import type { RequestHandler } from "express";
import type { Deps } from "../deps";
import { localsOf } from "./caller";

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);

/** Tells the metrics how long each request took; without metrics nothing is measured. */
export function measureRequests({ metrics }: Pick<Deps, "metrics">): RequestHandler {
  if (metrics === undefined) return (_request, _response, next) => next();
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const method = knownMethods.has(request.method) ? request.method : "other";
      const operation = localsOf(response).operation ?? "none";
      metrics.observeRequest(operation, method, response.statusCode, performance.now() - startedAt);
    });
    next();
  };
}
