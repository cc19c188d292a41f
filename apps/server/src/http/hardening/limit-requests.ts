import type { RequestHandler } from "express";
import { runAs, runRequest } from "../../turns/client";
import { Waits } from "../../turns/waits";
import type { HttpDeps } from "../deps";
import { clientOf, localsOf } from "../locals";
import { describeRequest } from "../observe/describe-request";
import { rateLimited } from "../rate-limits/limit-rate";
import { whenClosed } from "../response/when-closed";

/** Runs the rest of a request for its client: what it needs counts as taken by that one, and it waits for so long in all. */
export const runForClient =
  ({ maxWaitMs }: Pick<HttpDeps, "maxWaitMs">): RequestHandler =>
  (_request, response, next) => {
    const describe = () => describeRequest(localsOf(response));
    runRequest({ client: clientOf(response), waits: new Waits(maxWaitMs), describeRequest: describe }, next);
  };

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
