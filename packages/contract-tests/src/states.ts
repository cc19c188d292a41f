import type { ErrorCode } from "@madang/contract";
import type { Response } from "./interaction";
import { refusal } from "./refusal";

/**
 * What every operation that declares the code answers for a cause that lies not in the request but in the state of the
 * server. The server half brings each about for every operation; no interaction repeats them.
 */
export const stateRefusals = {
  request_timeout: refusal(408, "request_timeout"),
  rate_limited: refusal(429, "rate_limited"),
  internal: refusal(500, "internal"),
  unavailable: refusal(503, "unavailable"),
  idempotency_key_reused: refusal(409, "idempotency_key_reused"),
} as const satisfies Partial<Record<ErrorCode, Response>>;

/** The codes that no contract test shows, and why. */
export const exemptions = {
  idempotency_key_in_use: "It takes two requests at one time; the tests of idempotency send them.",
  route_not_found: "It belongs to no operation.",
  method_not_allowed: "It belongs to no operation.",
} as const satisfies Partial<Record<ErrorCode, string>>;
