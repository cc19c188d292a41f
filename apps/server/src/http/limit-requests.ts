import type { RequestHandler } from "express";
import { runAs } from "../turns/client";
import { Waits } from "../turns/waits";
import type { HttpDeps } from "./deps";
import { clientOf } from "./locals";
import { rateLimited } from "./rate-limits/limit-rate";
import { whenClosed } from "./response/when-closed";

/** Runs the rest of a request for its client: what it needs counts as taken by that one. */
export const runForClient =
  ({ maxWaitMs }: Pick<HttpDeps, "maxWaitMs">): RequestHandler =>
  (_request, response, next) =>
    runAs(clientOf(response), next, new Waits(maxWaitMs));

/** The same for the caller, who may have so many requests at once. */
export const limitRequests =
  ({ resources }: Pick<HttpDeps, "resources">): RequestHandler =>
  (_request, response, next) => {
    const client = clientOf(response);
    const hold = resources.requests.tryTake(1, client);
    if (hold === undefined) throw rateLimited(1, "This user has too many requests at once.");
    whenClosed(response, () => hold.release());
    runAs(client, next);
  };
