import type { ErrorCode, ErrorCodes, Operation } from "./error-codes";

/** What happened: `api` is a refusal by the service, everything else happened on the way. */
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
  /** Whether the same call may succeed later without a change. */
  readonly retryable?: boolean;
  /** The status of the answer, where there was one. */
  readonly status?: number;
  /** What the service refused, e.g. `user_exists`. */
  readonly code?: ErrorCode | (string & {});
  /** What went wrong and what to do, as the service says it. */
  readonly detail?: string;
  /** The broken rules of an `invalid_request`. */
  readonly errors?: readonly InvalidField[];
  /** The `X-Request-Id` of the answer: the operators of the service find the call by it. */
  readonly requestId?: string;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** In a list: the `cursor` to go on with. Absent when the first page failed. */
  readonly resumeCursor?: string;
  /** Of an answer that could not be read: its first 200 characters. */
  readonly body?: string;
}

// A symbol of the global registry, so that two installed versions of this package know each other's errors.
const brand = Symbol.for("@madang/client.error");

/** Any failure of a call. No part of it ever holds a key. */
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

  /** The fields as plain data: what a structured log wants. */
  toJSON(): object {
    return { ...(this as object), message: this.message };
  }
}

/** The service refused the request: `status`, `code` and `detail` say why. */
export class ApiError extends ChatError {
  override readonly name: string = "ApiError";
  declare readonly kind: "api";
  declare readonly status: number;
}

/** 400: the request breaks a rule; `errors` names each. */
export class BadRequestError extends ApiError {
  override readonly name = "BadRequestError";
}

/** 401: there is no such key, or it was deleted. */
export class AuthenticationError extends ApiError {
  override readonly name = "AuthenticationError";
}

/** 403: this key, or this sender, may not do it. */
export class PermissionError extends ApiError {
  override readonly name = "PermissionError";
}

/** 404: there is no such user, channel, manager or key. */
export class NotFoundError extends ApiError {
  override readonly name = "NotFoundError";
}

/** 409: the id is taken, or a limit is reached. */
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

/** No whole answer in time; body included. */
export class TimeoutError extends ChatError {
  override readonly name = "TimeoutError";
  declare readonly kind: "timeout";
}

/** The connection could not be made, or broke before the whole answer was there. */
export class ConnectionError extends ChatError {
  override readonly name = "ConnectionError";
  declare readonly kind: "connection";
}

/** The caller's signal ended the call. */
export class AbortError extends ChatError {
  override readonly name = "AbortError";
  declare readonly kind: "abort";
}

/** The answer is not what the service sends: no JSON, a page of a proxy, a missing body. */
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

/** A list cannot go on: the server repeats a cursor, or there is more than the caller allowed. */
export class PaginationError extends ChatError {
  override readonly name = "PaginationError";
  declare readonly kind: "pagination";
}

/**
 * Whether a value is an error of this SDK, also of another installed version of it, for which `instanceof` fails.
 *
 * @example if (isChatError(error) && error.code === "user_exists") return;
 */
export function isChatError(value: unknown): value is ChatError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * Whether a value is a refusal of this method by the service; `code` is then the list of its codes.
 *
 * @example if (isRefusal(error, "channels.members.join") && error.code === "member_limit_exceeded") await openAnotherRoom();
 */
export function isRefusal<Name extends Operation>(
  value: unknown,
  operation: Name,
): value is ApiError & { readonly code: ErrorCodes[Name] } {
  return isChatError(value) && value.kind === "api" && value.operation === operation;
}
