import * as z from "zod";

/** Every code a refusal can carry, with its one status and its title. The list is closed. */
export const errors = {
  invalid_request: { status: 400, title: "The request breaks a rule" },
  invalid_json: { status: 400, title: "The body is not JSON" },
  invalid_cursor: { status: 400, title: "The cursor is not one of this list" },
  unauthenticated: { status: 401, title: "No valid API key" },
  master_key_required: { status: 403, title: "Only the master key may do this" },
  channel_frozen: { status: 403, title: "The channel is frozen" },
  not_a_participant: { status: 403, title: "The sender does not belong to the channel" },
  user_not_found: { status: 404, title: "No such user" },
  channel_not_found: { status: 404, title: "No such channel" },
  manager_not_found: { status: 404, title: "Not a manager of the channel" },
  key_not_found: { status: 404, title: "No such sub key" },
  route_not_found: { status: 404, title: "No such route" },
  method_not_allowed: { status: 405, title: "The route does not know this method" },
  user_exists: { status: 409, title: "The user id is taken" },
  channel_exists: { status: 409, title: "The channel id is taken" },
  meta_limit_exceeded: { status: 409, title: "Too many metadata pairs" },
  member_limit_exceeded: { status: 409, title: "The channel is full" },
  manager_limit_exceeded: { status: 409, title: "The channel has all its managers" },
  key_limit_exceeded: { status: 409, title: "All sub keys are in use" },
  idempotency_key_reused: { status: 409, title: "The idempotency key belongs to another request" },
  idempotency_key_in_use: { status: 409, title: "The first request with this idempotency key still runs" },
  payload_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "The body is not of type application/json" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "The server failed" },
  unavailable: { status: 503, title: "The service cannot answer now" },
} as const;

export type ErrorCode = keyof typeof errors;
export type ErrorStatus = (typeof errors)[ErrorCode]["status"];

export const errorCodes = Object.keys(errors) as ErrorCode[];

/** One broken rule of a request. `path` is dotted, e.g. `meta.team`; empty for the whole part. */
export const invalidField = z.object({
  in: z.enum(["body", "query", "path", "header"]),
  path: z.string(),
  message: z.string(),
});
export type InvalidField = z.infer<typeof invalidField>;

/** A refusal: problem details (RFC 9457), sent as `application/problem+json`. */
export function problem<Code extends ErrorCode>(codes: readonly Code[]) {
  return z
    .object({
      type: z.string().meta({ description: "The page that explains the code.", format: "uri-reference" }),
      title: z.string(),
      status: z.int(),
      detail: z.string().meta({ description: "What went wrong and what to do, as a sentence." }),
      code: z.enum(codes),
      request_id: z.string(),
      errors: z.array(invalidField).optional(),
    })
    .meta({ description: "Problem details (RFC 9457)." });
}
export type Problem<Code extends ErrorCode = ErrorCode> = z.infer<ReturnType<typeof problem<Code>>>;

type StatusOf<Code extends ErrorCode> = (typeof errors)[Code]["status"];
type CodeWith<Code extends ErrorCode, Status> = Code extends ErrorCode
  ? StatusOf<Code> extends Status
    ? Code
    : never
  : never;

export type Refusals<Code extends ErrorCode> = {
  [Status in StatusOf<Code>]: ReturnType<typeof problem<CodeWith<Code, Status>>>;
};

/** The refusals of an operation, by status, for its `responses`. */
export function refusals<const Code extends ErrorCode>(codes: readonly Code[]): Refusals<Code> {
  const statuses = new Set(codes.map((code) => errors[code].status));
  const entries = [...statuses].map((status) => [
    status,
    problem(codes.filter((code) => errors[code].status === status)),
  ]);
  // The mapped type says what Object.fromEntries cannot: each status has just its own codes.
  return Object.fromEntries(entries) as Refusals<Code>;
}

/** What any operation can answer. */
export const anyOperation = [
  "invalid_request",
  "unauthenticated",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

/** What any operation that changes something can answer: each takes an idempotency key. */
export const anyChange = [...anyOperation, "idempotency_key_reused", "idempotency_key_in_use"] as const;

/** What any operation with a body can answer: all of them change something. */
export const anyBody = [...anyChange, "invalid_json", "payload_too_large", "unsupported_media_type"] as const;
