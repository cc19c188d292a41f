import type { ErrorCode, ErrorCodes, Operation } from "./generated/types";

/** `api`: the service responded with an error. The other kinds are failures without such a response. */
export type ErrorKind = "api" | "timeout" | "connection" | "abort" | "parse" | "validation" | "pagination";

/** One broken rule of a request. `path` is dotted, e.g. `meta.team`. */
export interface InvalidField {
  in: "body" | "query" | "path" | "header";
  path: string;
  message: string;
}

export interface ErrorFields {
  /** The method that failed, e.g. `users.create`. */
  readonly operation?: Operation;
  /** How many times the request was sent. */
  readonly attempts?: number;
  /** Whether the same call may succeed later. */
  readonly retryable?: boolean;
  /** The status of the response, if there was one. */
  readonly status?: number;
  /** The error code of the service, e.g. `user_exists`. */
  readonly code?: ErrorCode | (string & {});
  /** What went wrong and what to do, from the service. */
  readonly detail?: string;
  /** The broken rules of an `invalid_request`. */
  readonly errors?: readonly InvalidField[];
  /** The `X-Request-Id` of the response, which is also in the log of the service. */
  readonly requestId?: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** In a list: the `cursor` to continue with. Absent when the first page failed. */
  readonly resumeCursor?: string;
  /** The first 200 characters of a body that could not be read. */
  readonly body?: string;
}

// A symbol of the global registry, so that two installed versions of this package recognise each other's errors.
const brand = Symbol.for("@madang/client.error");

/** Any failure of a call. It never contains a key. */
export class ChatError extends Error {
  override readonly name: string = "ChatError";
  readonly kind: ErrorKind;
  declare readonly operation?: Operation;
  declare readonly attempts?: number;
  readonly retryable: boolean = false;
  declare readonly status?: number;
  declare readonly code?: ErrorCode | (string & {});
  declare readonly detail?: string;
  declare readonly errors?: readonly InvalidField[];
  declare readonly requestId?: string;
  declare readonly retryAfterMs?: number;
  declare readonly resumeCursor?: string;
  declare readonly body?: string;

  constructor(kind: ErrorKind, message: string, fields: ErrorFields = {}, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    Object.assign(this, fields);
    Object.defineProperty(this, brand, { value: true });
  }

  /** The fields as plain data, for structured logs. */
  toJSON(): object {
    return { ...(this as object), message: this.message };
  }
}

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
  override readonly name = "ConflictError";
}

/** 429: too many requests; `retryAfterMs` says how long to wait. */
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

/** A parameter breaks a rule; nothing was sent. */
export class ValidationError extends ChatError {
  override readonly name = "ValidationError";
  declare readonly kind: "validation";

  constructor(message: string, operation?: Operation, cause?: unknown) {
    super("validation", message, operation === undefined ? {} : { operation }, cause);
  }
}

/** A list cannot continue: the server repeats a cursor, or there are more items than the caller allowed. */
export class PaginationError extends ChatError {
  override readonly name = "PaginationError";
  declare readonly kind: "pagination";
}

/**
 * Whether a value is an error of this SDK. Also recognises errors of another installed version, for which `instanceof` fails.
 *
 * @example if (isChatError(error) && error.code === "user_exists") return;
 */
export function isChatError(value: unknown): value is ChatError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * Whether a value is an error response to this method; `code` is then typed with the codes of that method.
 *
 * @example if (isApiError(error, "channels.members.join") && error.code === "member_limit_exceeded") await openAnotherChannel();
 */
export function isApiError<Name extends Operation>(
  value: unknown,
  operation: Name,
): value is ApiError & { readonly code: ErrorCodes[Name] } {
  return isChatError(value) && value.kind === "api" && value.operation === operation;
}
