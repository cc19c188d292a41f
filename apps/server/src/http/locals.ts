import type { ErrorCode } from "@madang/contract";
import type { Request, RequestHandler, Response } from "express";
import type { Client } from "../turns/client";
import type { Hold } from "../turns/resource";
import { type Caller, nameCaller } from "./auth/caller";
import { networkOf } from "./hardening/network-of";
import type { AnyOperation } from "./request/operation";

/** What middleware passes on with a request. */
export interface Locals {
  requestId: string;
  /** The trace id, if the request has a `traceparent` header (W3C Trace Context) or is traced here. */
  traceId?: string;
  /** The id of the caller's span in that trace. */
  parentId?: string;
  /** The flags of the caller: whether it records the trace. */
  traceFlags?: number;
  caller?: Caller;
  /** The parameters of the path, which Express drops when a request leaves its route with an error. */
  params?: Request["params"];
  operation?: AnyOperation;
  /** The operation in logs and metrics, where it has the name of the SDK method. */
  operationName?: string;
  /** The bytes of the body, until its handler has them. */
  body?: Hold;
  /** The bytes of the response. */
  reserved?: Hold;
  /** Why the request was rejected. */
  code?: ErrorCode;
}

export function localsOf(response: Response): Locals {
  // Express types them as a record of anything; `assignRequestId` runs first and sets the required field.
  return response.locals as Locals;
}

/** For whom a request runs: its caller, or before authentication its network address. */
export function clientOf(response: Response): Client {
  const { caller } = localsOf(response);
  return caller === undefined
    ? { kind: "user", name: `address ${networkOf(response.req.ip ?? "")}` }
    : clientOfCaller(caller);
}

const kinds = { master: "master", sub: "key", user: "user" } as const;

export const clientOfCaller = (caller: Caller): Client => ({
  kind: kinds[caller.kind],
  name: nameCaller(caller),
});

/** Names a request that is none of the contract's in logs and metrics. */
export const nameOperation =
  (operation: string): RequestHandler =>
  (_request, response, next) => {
    localsOf(response).operationName = operation;
    next();
  };
