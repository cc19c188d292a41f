import type { ErrorCode, InvalidField } from "@madang/contract";

/** An error response. Handlers and stores throw it; `sendErrors` turns it into problem details. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  constructor(
    readonly code: ErrorCode,
    /** What went wrong and what to do, in full sentences for the client. */
    readonly detail: string,
    readonly errors?: readonly InvalidField[],
    /** When to repeat the request, for a temporary error. */
    readonly retryAfterSeconds?: number,
  ) {
    super(detail);
  }
}

/** For a query parameter that only the handler can check. */
export function invalidQuery(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `The query parameter ${path} is invalid. ${message}`, [
    { in: "query", path, message },
  ]);
}

/** For a field of the body that only the handler can check. */
export function invalidBody(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `In the body, ${path} is invalid. ${message}`, [
    { in: "body", path, message },
  ]);
}

/** A missing or invalid setting. The message is one sentence for the operator, printed without a stack. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
