import type { ErrorCode } from "./errors";
import { limits } from "./limits";

const { bodyBytes, idempotencyKey, managersPerChannel, membersPerChannel, subKeys } = limits;
const { maxPairs } = limits.meta;
const maxBytes = bodyBytes.toLocaleString("en-US");

/** What a person who meets a code wants to read. */
export interface ErrorHelp {
  readonly happened: string;
  readonly fix: string;
  /** A sentence as a server might answer it. */
  readonly detail: string;
}

/** Every code explained, once: the reference page, docs/errors.md and the OpenAPI document read it here. */
export const errorHelp = {
  invalid_request: {
    happened: "A parameter, a header or a field of the body breaks a rule, is unknown, or was given twice.",
    fix: "Read `errors`: each entry names the part (`in`), the place (`path`) and the rule. Nothing is clamped and nothing was stored.",
    detail: "1 rule is broken: query limit must be a whole number from 5 to 30.",
  },
  invalid_json: {
    happened: "The body is not JSON, or is cut short.",
    fix: "Send one JSON value in UTF-8, with a `Content-Length` that fits it.",
    detail: "The body is not JSON: it ends within a string.",
  },
  invalid_cursor: {
    happened: "`next` was changed, cut, or comes from another operation, channel or service.",
    fix: "Send `next` exactly as the last page of this list gave it, percent-encoded, and nothing beside it. To begin again, leave it out.",
    detail: "The cursor does not belong to this list. Leave `next` out to begin at the first page.",
  },
  unauthenticated: {
    happened: "The request carries no key, an unknown one, or one that was deleted.",
    fix: "Send `Authorization: Bearer <key>` with the master key or a sub key that still exists.",
    detail: "The request carries no valid API key. Send `Authorization: Bearer <key>`.",
  },
  master_key_required: {
    happened: "A sub key was used for an operation on sub keys.",
    fix: "Call it with the master key. Sub keys may do everything else.",
    detail: "Only the master key may list, create or delete sub keys.",
  },
  channel_frozen: {
    happened: "The channel is frozen and the sender is not one of its managers.",
    fix: "Send as a manager, or unfreeze the channel first.",
    detail: "The channel room_1 is frozen; only its managers may send.",
  },
  not_a_participant: {
    happened: "The sender is neither a participant nor a manager of the channel.",
    fix: "Let the user join the channel, then send again.",
    detail: "The user kim_01 is neither a participant nor a manager of the channel room_1.",
  },
  user_not_found: {
    happened: "No user has this id: it was never created, or was deleted.",
    fix: "Check the id, in the path and in the body. Create the user first; nothing else of the request was done.",
    detail: "There is no user kim_01.",
  },
  channel_not_found: {
    happened: "No channel has this id: it was never created, or was deleted.",
    fix: "Check the id in the path, or create the channel first.",
    detail: "There is no channel room_1.",
  },
  manager_not_found: {
    happened: "The user exists but is not a manager of the channel.",
    fix: "Nothing is left to remove. List the managers to see who they are.",
    detail: "The user kim_01 is not a manager of the channel room_1.",
  },
  key_not_found: {
    happened: "No sub key is this one: it was never created here, or is deleted already.",
    fix: "Nothing is left to delete. List the sub keys to see which exist.",
    detail: "There is no such sub key.",
  },
  route_not_found: {
    happened: "The service has no such path.",
    fix: "Check the path: it begins with `/v1`, and an id inside it is percent-encoded and not empty.",
    detail: "There is nothing at /v1/user. Every path is listed at /docs.",
  },
  method_not_allowed: {
    happened: "The path exists, the method does not.",
    fix: "Use one of the methods that the answer's `Allow` header names.",
    detail: "The path /v1/users does not know PATCH. It knows GET and POST.",
  },
  request_timeout: {
    happened:
      "The headers did not arrive within 10 seconds, or the whole request not within 13. Nothing was done.",
    fix: "Send the request again, on a new connection. The SDK does so by itself.",
    detail: "The request did not arrive in time. Send it again.",
  },
  user_exists: {
    happened: "A user with this id exists already; ids are unique among living users.",
    fix: "Choose another id, or update the existing user. After a create that timed out this means that it had succeeded.",
    detail: "There is already a user kim_01.",
  },
  channel_exists: {
    happened: "A channel with this id exists already; ids are unique among living channels.",
    fix: "Choose another id, or use the existing channel. After a create that timed out this means that it had succeeded.",
    detail: "There is already a channel room_1.",
  },
  meta_limit_exceeded: {
    happened: `The user would hold more than ${maxPairs} metadata pairs after the merge. Nothing was merged.`,
    fix: "Delete keys that are no longer used, then merge again.",
    detail: `The user kim_01 would hold ${maxPairs + 1} metadata pairs; at most ${maxPairs} may be stored.`,
  },
  member_limit_exceeded: {
    happened: `${membersPerChannel} users take part in the channel already.`,
    fix: "Let someone leave first, or use another channel.",
    detail: `The channel room_1 has ${membersPerChannel} participants; no more can join.`,
  },
  manager_limit_exceeded: {
    happened: `The channel has ${managersPerChannel} managers already.`,
    fix: "Remove a manager first.",
    detail: `The channel room_1 has ${managersPerChannel} managers; no more can be registered.`,
  },
  key_limit_exceeded: {
    happened: `${subKeys} sub keys exist already.`,
    fix: "Delete a sub key that is no longer used, then create one.",
    detail: `${subKeys} sub keys exist; no more can be created.`,
  },
  idempotency_key_reused: {
    happened: `This key of the last ${idempotencyKey.retentionHours} hours came with another operation, path, query or body. Nothing was done.`,
    fix: "Send a fresh `Idempotency-Key` with every new request, and the same one only when that very request is repeated.",
    detail: "The idempotency key came with another request before. Send a fresh one.",
  },
  idempotency_key_in_use: {
    happened: "The first request with this key is still running, and did not end while this one waited.",
    fix: "Wait as many seconds as the `Retry-After` header says, then send the same request with the same key: it is answered as the first one was.",
    detail: "The first request with this idempotency key is still running. Try again in 1 second.",
  },
  payload_too_large: {
    happened: `The body has more than ${maxBytes} bytes.`,
    fix: "Send less in one request.",
    detail: `The body has more than ${maxBytes} bytes.`,
  },
  unsupported_media_type: {
    happened:
      "The body is not declared as JSON in UTF-8, or is compressed in a way the server does not read.",
    fix: "Send `Content-Type: application/json`.",
    detail: "The body must be of type application/json.",
  },
  rate_limited: {
    happened: "Too many requests came in a short time.",
    fix: "Wait as many seconds as the `Retry-After` header says, then send the same request again. The SDK does so by itself.",
    detail: "Too many requests. Try again in 2 seconds.",
  },
  internal: {
    happened: "The server failed; this is a defect of the server, not of the request.",
    fix: "Try again if the operation may be repeated. If it stays, report the `request_id`: the server's log has the cause under it.",
    detail: "The server failed. Its log has the cause under this request id.",
  },
  unavailable: {
    happened: "The service cannot answer now: it is starting, stopping, or its database does not answer.",
    fix: "Wait as many seconds as the `Retry-After` header says, then send the same request again. The SDK does so by itself.",
    detail: "The database does not answer. Try again in 1 second.",
  },
} as const satisfies Record<ErrorCode, ErrorHelp>;
