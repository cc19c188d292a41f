import type { ErrorCode } from "@madang/contract";
import type { Response } from "./interaction";
import { problem } from "./problem";

/**
 * The responses that depend on the state of the server, or on how the caller signed in, and not on the operation. The
 * server's tests produce each of them for every operation that declares the code, so no interaction repeats them.
 */
export const serverStateProblems = {
  request_timeout: problem(408, "request_timeout"),
  cross_origin_request: problem(403, "cross_origin_request"),
  rate_limited: problem(429, "rate_limited"),
  internal: problem(500, "internal"),
  unavailable: problem(503, "unavailable"),
  idempotency_key_reused: problem(409, "idempotency_key_reused"),
} as const satisfies Partial<Record<ErrorCode, Response>>;

/** The responses of the middleware that decides who may call an operation. One operation of each kind of access has their interactions. */
export const callerCodes = [
  "unauthenticated",
  "master_key_required",
  "scope_missing",
  "not_permitted",
] as const satisfies readonly ErrorCode[];

/** The codes that no contract test covers, with the reason. */
export const uncoveredCodes = {
  idempotency_key_in_use: "It takes two concurrent requests. The idempotency tests send them.",
  route_not_found: "It belongs to no operation.",
  method_not_allowed: "It belongs to no operation.",
} as const satisfies Partial<Record<ErrorCode, string>>;
