import type { ErrorCode, InvalidField } from "@madang/contract";

/** A refusal. Thrown anywhere below a handler; `answer-errors` turns it into the answer. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";

  constructor(
    readonly code: ErrorCode,
    /** What went wrong and what to do, as a sentence for the caller. */
    readonly detail: string,
    readonly errors?: readonly InvalidField[],
    /** When to come back, where the refusal is for now only. */
    readonly retryAfterSeconds?: number,
  ) {
    super(detail);
  }
}

/** Refuses a request for one parameter that only the handler could judge. */
export function invalidQuery(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `The query parameter ${path} breaks a rule. ${message}`, [
    { in: "query", path, message },
  ]);
}
