import type { ErrorCode, Operation } from "./generated/types";
import type { Shape } from "./shape";

/** An operation as the transport needs to know it. */
export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** For a POST: sending it twice takes effect once. Otherwise both need the same idempotency key. */
  readonly idempotent?: true;
  /** The method that sends this route. Default: the one with the name of the route. */
  readonly variantOf?: Operation;
  /** The error of a request whose first attempt took effect although its response was lost. */
  readonly errorWhenRepeated?: ErrorCode;
  /** The bounds of `pageSize`, for a list. */
  readonly pageSize?: readonly [min: number, max: number];
  /** Absent when the response has no body. */
  readonly response?: Shape;
}
