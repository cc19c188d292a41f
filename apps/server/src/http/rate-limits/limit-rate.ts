import type { RequestHandler } from "express";
import { ServiceError } from "../../errors/service-error";
import { nameCaller } from "../auth/caller";
import type { HttpDeps } from "../deps";
import { localsOf } from "../locals";

/** Counts the request for its key, sends what remains, and rejects it over the limit. Does nothing without a limit. */
export function limitRate({ rateLimit }: Pick<HttpDeps, "rateLimit">): RequestHandler {
  if (rateLimit === undefined) return (_request, _response, next) => next();
  const { requests, seconds } = rateLimit.policy;
  return async (_request, response, next) => {
    const { caller } = localsOf(response);
    if (caller === undefined) throw new Error("A request was counted before it was authenticated.");
    const { isAllowed, remaining, resetSeconds } = await rateLimit.take(nameCaller(caller));
    response.setHeader("RateLimit-Policy", `"default";q=${requests};w=${seconds}`);
    response.setHeader("RateLimit", `"default";r=${remaining};t=${resetSeconds}`);
    if (!isAllowed) throw rateLimited(resetSeconds, "Too many requests were sent with this key.");
    next();
  };
}

export function rateLimited(seconds: number, why: string): ServiceError {
  const wait = `${seconds} second${seconds === 1 ? "" : "s"}`;
  return new ServiceError("rate_limited", `${why} Try again in ${wait}.`, { retryAfterSeconds: seconds });
}
