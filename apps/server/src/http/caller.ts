import type { ErrorCode } from "@madang/contract";
import type { Response } from "express";

/** The caller: the master key, or a sub key with an id that does not reveal it. */
export type Caller =
  | { readonly kind: "master" }
  | { readonly kind: "sub"; readonly id: string; readonly label: string | undefined };

/** What middleware passes on with a request. */
export interface Locals {
  requestId: string;
  /** The trace id, if the request has a `traceparent` header (W3C Trace Context). */
  traceId?: string;
  /** The id of the caller's span in that trace. */
  parentId?: string;
  caller?: Caller;
  operation?: string;
  /** The operation in logs and metrics, where it has the name of the SDK method. */
  operationName?: string;
  /** Why the request was rejected. */
  code?: ErrorCode;
}

export function localsOf(response: Response): Locals {
  // Express types them as a record of anything; `assignRequestId` runs first and sets the required field.
  return response.locals as Locals;
}
