import { errors, type InvalidField } from "@madang/contract";
import type { ErrorCode } from "../generated/types";

/** An error response of the fake. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly errors: InvalidField[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ErrorCode,
    detail: string,
    fields?: InvalidField[],
    headers: Record<string, string> = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = fields;
    this.headers = headers;
  }

  get status(): number {
    return errors[this.code].status;
  }

  /** The problem details of the error. */
  present(requestId: string): object {
    return {
      type: `https://errors.test/${this.code}`,
      title: errors[this.code].title,
      status: this.status,
      detail: this.message,
      code: this.code,
      request_id: requestId,
      ...(this.errors && { errors: this.errors }),
    };
  }
}
