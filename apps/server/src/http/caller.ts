import type { Response } from "express";
import type { Claim } from "../db/claim";

/** Who calls: the master key or one of its sub keys, which has a name that does not tell the key. */
export type Caller = { readonly kind: "master" } | { readonly kind: "sub"; readonly id: string };

/** What the middleware of one request leaves for the next. */
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
