import * as z from "zod";

/** Every error code with its status and title. The list is closed. */
export const errors = {
  invalid_request: { status: 400, title: "Invalid request" },
  invalid_json: { status: 400, title: "Invalid JSON" },
  invalid_cursor: { status: 400, title: "Invalid cursor" },
  unauthenticated: { status: 401, title: "Missing or invalid API key" },
  master_key_required: { status: 403, title: "Master key required" },
  scope_missing: { status: 403, title: "Scope missing" },
  not_permitted: { status: 403, title: "Not permitted" },
  cross_origin_request: { status: 403, title: "Cross-origin request" },
  channel_frozen: { status: 403, title: "Channel is frozen" },
  not_a_participant: { status: 403, title: "Not a participant" },
  member_muted: { status: 403, title: "Participant is muted" },
  user_banned: { status: 403, title: "User is banned" },
  user_suspended: { status: 403, title: "User is suspended" },
  user_blocked: { status: 403, title: "User is blocked" },
  user_not_found: { status: 404, title: "User not found" },
  channel_not_found: { status: 404, title: "Channel not found" },
  manager_not_found: { status: 404, title: "Manager not found" },
  member_not_found: { status: 404, title: "Participant not found" },
  message_not_found: { status: 404, title: "Message not found" },
  key_not_found: { status: 404, title: "Sub key not found" },
  webhook_not_found: { status: 404, title: "Webhook not found" },
  report_not_found: { status: 404, title: "Report not found" },
  erasure_not_found: { status: 404, title: "Erasure not found" },
  device_not_found: { status: 404, title: "Device not found" },
  filter_not_found: { status: 404, title: "Filter not found" },
  hook_not_found: { status: 404, title: "Hook not found" },
  file_not_found: { status: 404, title: "File not found" },
  route_not_found: { status: 404, title: "Route not found" },
  method_not_allowed: { status: 405, title: "Method not allowed" },
  request_timeout: { status: 408, title: "Request timeout" },
  user_exists: { status: 409, title: "User already exists" },
  channel_exists: { status: 409, title: "Channel already exists" },
  meta_limit_exceeded: { status: 409, title: "Metadata limit exceeded" },
  member_limit_exceeded: { status: 409, title: "Participant limit exceeded" },
  manager_limit_exceeded: { status: 409, title: "Manager limit exceeded" },
  key_limit_exceeded: { status: 409, title: "Sub key limit exceeded" },
  reaction_limit_exceeded: { status: 409, title: "Reaction limit exceeded" },
  pin_limit_exceeded: { status: 409, title: "Pin limit exceeded" },
  block_limit_exceeded: { status: 409, title: "Block limit exceeded" },
  message_changed: { status: 409, title: "Message changed" },
  message_streaming: { status: 409, title: "Message is being written" },
  message_not_streaming: { status: 409, title: "Message is not being written" },
  append_out_of_order: { status: 409, title: "Append out of order" },
  stream_limit_exceeded: { status: 409, title: "Stream limit exceeded" },
  content_limit_exceeded: { status: 409, title: "Content limit exceeded" },
  external_id_exists: { status: 409, title: "External id already exists" },
  webhook_limit_exceeded: { status: 409, title: "Webhook limit exceeded" },
  filter_limit_exceeded: { status: 409, title: "Filter limit exceeded" },
  hook_limit_exceeded: { status: 409, title: "Hook limit exceeded" },
  file_in_use: { status: 409, title: "File in use" },
  file_not_uploaded: { status: 409, title: "File not uploaded" },
  push_not_configured: { status: 409, title: "Push provider is not set up" },
  presence_disabled: { status: 409, title: "Presence is turned off" },
  files_disabled: { status: 409, title: "Files are turned off" },
  idempotency_key_reused: { status: 409, title: "Idempotency key reused" },
  idempotency_key_in_use: { status: 409, title: "Idempotency key in use" },
  events_expired: { status: 410, title: "Events expired" },
  payload_too_large: { status: 413, title: "Request body too large" },
  unsupported_media_type: { status: 415, title: "Unsupported media type" },
  message_rejected: { status: 422, title: "Message rejected" },
  slow_mode: { status: 429, title: "Slow mode" },
  rate_limited: { status: 429, title: "Too many requests" },
  internal: { status: 500, title: "Internal error" },
  unavailable: { status: 503, title: "Service unavailable" },
  storage_unavailable: { status: 503, title: "Storage unavailable" },
  check_unavailable: { status: 503, title: "Check unavailable" },
} as const;

export type ErrorCode = keyof typeof errors;
export type ErrorStatus = (typeof errors)[ErrorCode]["status"];

export const errorCodes = Object.keys(errors) as ErrorCode[];

/** A rule that the request breaks. `path` is dotted, e.g. `meta.team`; it is empty for the whole part. */
const invalidField = z.object({
  in: z.enum(["body", "query", "path", "header"]),
  path: z.string(),
  message: z.string(),
});
export type InvalidField = z.infer<typeof invalidField>;

/** An error response: problem details (RFC 9457), sent as `application/problem+json`. */
export function problem<Code extends ErrorCode>(codes: readonly Code[]) {
  return z
    .object({
      type: z
        .string()
        .meta({ description: "The address of the page that explains the code.", format: "uri-reference" }),
      title: z.string(),
      status: z.int(),
      detail: z.string().meta({ description: "What went wrong and what to do, in full sentences." }),
      code: z.enum(codes),
      request_id: z.string(),
      errors: z.array(invalidField).optional(),
    })
    .meta({ description: "Problem details (RFC 9457)." });
}

const problemSchema = z.object({ shape: z.looseObject({ code: z.instanceof(z.ZodEnum) }) });

/** The codes that an error response can carry. */
export function codesOf(response: unknown): ErrorCode[] {
  // The contract builds every error response with `problem`, whose codes are error codes.
  return problemSchema.parse(response).shape.code.options as ErrorCode[];
}

/** What an error response has besides the members of all: an object with these. */
export function membersOf(response: unknown): z.ZodObject {
  const common = Object.keys(problem(errorCodes).shape);
  const own = Object.entries(problemSchema.parse(response).shape).filter(([name]) => !common.includes(name));
  // The contract declares each member by a schema.
  return z.object(Object.fromEntries(own) as z.ZodRawShape);
}

type StatusOf<Code extends ErrorCode> = (typeof errors)[Code]["status"];
type CodeWith<Code extends ErrorCode, Status> = Code extends ErrorCode
  ? StatusOf<Code> extends Status
    ? Code
    : never
  : never;

export type Problems<Code extends ErrorCode> = {
  [Status in StatusOf<Code>]: ReturnType<typeof problem<CodeWith<Code, Status>>>;
};

/** The error responses of an operation by status, for its `responses`. */
export function problems<const Code extends ErrorCode>(codes: readonly Code[]): Problems<Code> {
  const statuses = new Set(codes.map((code) => errors[code].status));
  const entries = [...statuses].map((status) => [
    status,
    problem(codes.filter((code) => errors[code].status === status)),
  ]);
  // Object.fromEntries loses which status carries which codes; the mapped type states it.
  return Object.fromEntries(entries) as Problems<Code>;
}

/** The codes that every operation can return. */
export const anyErrors = [
  "invalid_request",
  "unauthenticated",
  "cross_origin_request",
  "request_timeout",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

const readErrors = ["invalid_json", "payload_too_large", "unsupported_media_type"] as const;
/** The codes that every change can return as well: each takes an idempotency key and reads a body. */
const changeErrors = ["idempotency_key_reused", "idempotency_key_in_use", ...readErrors] as const;

/** The codes that every operation with `access: "any_key"` or `"named_scope"` can return. */
export const memberErrors = [...anyErrors, "scope_missing"] as const;

/** The same of an operation that not every user may call, or not for every other user, and of every change. */
export const commonErrors = [...memberErrors, "not_permitted"] as const;
export const bodyErrors = [...commonErrors, ...changeErrors] as const;
/** The same where nothing is stored, so that an idempotency key has no effect. */
export const unkeyedBodyErrors = [...commonErrors, ...readErrors] as const;

/** The codes that every operation with `access: "master_key"` can return, and every change among them. */
export const masterErrors = [...anyErrors, "master_key_required", "not_permitted"] as const;
export const masterBodyErrors = [...masterErrors, ...changeErrors] as const;
