import type { ErrorCodes, Operation, SystemMessage, TextMessage } from "../generated/types";
import { ChatError, describeField, type InvalidField, isChatError } from "./chat-error";

/** The service responded with an error: `status`, `code` and `detail` explain it. */
export class ApiError extends ChatError {
  override readonly name: string = "ApiError";
  declare readonly kind: "api";
  declare readonly status: number;
}

/** 400: the request breaks a rule; `errors` lists every broken rule. */
export class BadRequestError extends ApiError {
  override readonly name = "BadRequestError";
}

/** 401: the key does not exist, or was deleted. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: the key, or the sender of the message, is not permitted to do this. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404: the user, channel, manager or key does not exist. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: the id exists already, or a limit is reached. */
export class ConflictError extends ApiError {
  override readonly name: string = "ConflictError";
}

/** 409: the message that is written has been ended elsewhere. `current.state` is `cancelled` when somebody has stopped it. */
export class MessageEndedError extends ConflictError {
  override readonly name = "MessageEndedError";
  /** The message as it ended. */
  declare readonly current: TextMessage | SystemMessage;

  /** @internal */
  constructor({ kind, message, ...error }: ApiError, current: TextMessage | SystemMessage) {
    super(kind, message, { ...error, current });
  }
}

/** 429: too many requests; wait for `retryAfterMs`. */
export class RateLimitError extends ApiError {
  override readonly name = "RateLimitError";
}

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  override readonly name = "ServerError";
}

/** There was no complete response in time. */
export class TimeoutError extends ChatError {
  override readonly name = "TimeoutError";
  declare readonly kind: "timeout";
}

/** The connection failed, or broke before the response was complete. */
export class ConnectionError extends ChatError {
  override readonly name = "ConnectionError";
  declare readonly kind: "connection";
}

/** The caller's signal aborted the call. */
export class AbortError extends ChatError {
  override readonly name = "AbortError";
  declare readonly kind: "abort";
}

/** The response is not one of the service: not JSON, the page of a proxy, or an empty body. */
export class ParseError extends ChatError {
  override readonly name = "ParseError";
  declare readonly kind: "parse";
}

/** A parameter or an option breaks a rule; nothing was sent. `code` is `invalid_request`, and `errors` names the rule. */
export class ValidationError extends ChatError {
  override readonly name = "ValidationError";
  declare readonly kind: "validation";
  declare readonly code: "invalid_request";
  declare readonly detail: string;
  declare readonly errors: readonly InvalidField[];

  /** @internal */
  constructor(
    path: string,
    message: string,
    operation?: Operation,
    part: InvalidField["in"] = "option",
    cause?: unknown,
  ) {
    const rule = { in: part, path, message };
    const detail = describeField(rule);
    const fields = { code: "invalid_request", detail, errors: [rule], operation };
    super("validation", operation ? `${operation}: ${detail}` : detail, fields, cause);
  }
}

/** A list cannot continue: the server repeats a cursor, or there are more items than the caller allowed. */
export class PaginationError extends ChatError {
  override readonly name = "PaginationError";
  declare readonly kind: "pagination";
}

/**
 * Whether a value is an error response of the service. With the name of a method: of that method, and `code` is then typed
 * with its codes.
 *
 * @param value What was caught.
 * @param operation The name of the method, e.g. `users.create`. Default: any.
 * @example if (isApiError(error, "channels.members.join") && error.code === "member_limit_exceeded") console.log("full");
 */
export function isApiError(value: unknown): value is ApiError;
export function isApiError<Name extends Operation>(
  value: unknown,
  operation: Name,
): value is ApiError & { readonly code: ErrorCodes[Name] };
export function isApiError(value: unknown, operation?: Operation): boolean {
  return (
    isChatError(value) && value.kind === "api" && (operation === undefined || value.operation === operation)
  );
}
