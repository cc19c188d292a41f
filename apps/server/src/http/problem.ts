import { errors } from "@madang/contract";
import type { ServiceError } from "../errors";

export const problemType = "application/problem+json; charset=utf-8";

/** The body of an error response: problem details (RFC 9457). */
export function serializeProblem({ code, detail, errors: fields }: ServiceError, requestId: string): Buffer {
  const { status, title } = errors[code];
  const problem = {
    type: `/docs#${code}`,
    title,
    status,
    detail,
    code,
    request_id: requestId,
    ...(fields && { errors: fields }),
  };
  return Buffer.from(JSON.stringify(problem));
}
