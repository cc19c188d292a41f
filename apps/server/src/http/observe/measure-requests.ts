import type { Request, RequestHandler } from "express";
import type { Caller } from "../auth/caller";
import { localsOf } from "../locals";

export interface RequestObserver {
  observeRequest(operation: string, method: string, status: number, durationMs: number): void;
  /** Counts a request with a valid key. */
  countCaller(caller: Caller): void;
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);

/** The method, if it is one of the contract: a client may send any word. */
export const methodOf = ({ method }: Request, other: string) => (knownMethods.has(method) ? method : other);

/** Records the duration of each request. Without metrics, nothing is measured. */
export function measureRequests(metrics: RequestObserver | undefined): RequestHandler {
  if (metrics === undefined) return (_request, _response, next) => next();
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const method = methodOf(request, "other");
      const { operationName = "none", caller } = localsOf(response);
      metrics.observeRequest(operationName, method, response.statusCode, performance.now() - startedAt);
      if (caller !== undefined) metrics.countCaller(caller);
    });
    next();
  };
}
