import type { Response } from "express";
import type { Claim } from "../db/claim";

/** The caller: the master key, or a sub key under a name that does not reveal it. */
export type Caller = { readonly kind: "master" } | { readonly kind: "sub"; readonly id: string };

/** What the middleware of a request passes on. */
export interface Locals {
  requestId: string;
  /** The trace that the request belongs to, where the caller named one (W3C Trace Context). */
  traceId?: string;
  /** The caller's own step of that trace. */
  parentId?: string;
  caller?: Caller;
  operation?: string;
  /** The idempotency key of a change. */
  claim?: Claim;
}

export function localsOf(response: Response): Locals {
  // Express types them as a record of anything; `name-request` fills them before anybody reads.
  return response.locals as Locals;
}
