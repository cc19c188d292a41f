import type { ErrorCode, InvalidField } from "@madang/contract";

/** An error response. Handlers and stores throw it; `sendErrors` turns it into problem details. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  readonly errors?: readonly InvalidField[];
  /** When to repeat the request, for a temporary error. */
  readonly retryAfterSeconds?: number;
  /** What the problem details of this code have besides. */
  readonly members?: object;

  constructor(
    readonly code: ErrorCode,
    /** What went wrong and what to do, in full sentences for the client. */
    readonly detail: string,
    more: Pick<ServiceError, "errors" | "retryAfterSeconds" | "members"> = {},
  ) {
    super(detail);
    Object.assign(this, more);
  }
}

/** For a field that only a handler or a store can check. An empty path means the whole part of the request. */
export const invalidField = (part: InvalidField["in"], path: string, message: string): ServiceError =>
  invalidRequest([{ in: part, path, message }]);

/** Rejects a request of the application that does not name the user. */
export function rejectMissingUser(field: string): never {
  throw invalidField("body", field, "Is required, except with a user's token or key.");
}

export const notPermitted = (detail: string): ServiceError => new ServiceError("not_permitted", detail);

/** Lists all invalid fields. The detail describes the first. */
export function invalidRequest(fields: readonly InvalidField[]): ServiceError {
  const detail = ["The request is invalid.", ...fields.slice(0, 1).map(describeField)].join(" ");
  return new ServiceError("invalid_request", detail, { errors: fields });
}

/** A field and its fault as one sentence. */
export function describeField({ in: part, path, message }: InvalidField): string {
  return path === "" ? message : `In the ${part}, ${path}: ${message}`;
}

/** A missing or invalid setting. The message is one sentence for the operator, printed without a stack. */
export class SettingError extends Error {
  override readonly name = "SettingError";
}
