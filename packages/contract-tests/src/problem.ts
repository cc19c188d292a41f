import { type ErrorCode, errors, type InvalidField } from "@madang/contract";
import type { Response } from "./interaction";

/** An error response. The compiler accepts only the status of the code. `members` are those that few errors have. */
export function problem<Code extends ErrorCode>(
  status: (typeof errors)[Code]["status"],
  code: Code,
  invalidFields?: readonly Pick<InvalidField, "in" | "path">[],
  members: object = {},
): Response {
  return {
    status,
    headers: { "content-type": "application/problem+json; charset=utf-8", ...headersOf(code) },
    body: {
      type: `/docs#${code}`,
      title: errors[code].title,
      status,
      detail: "What went wrong and what to do.",
      code,
      request_id: "request-1",
      ...(invalidFields && { errors: invalidFields.map((field) => ({ ...field, message: "The rule." })) }),
      ...members,
    },
  };
}

/** The error response for one invalid field or parameter. */
export function invalid(location: InvalidField["in"], path: string): Response {
  return problem(400, "invalid_request", [{ in: location, path }]);
}

function headersOf(code: ErrorCode): Readonly<Record<string, string>> {
  if (code === "unauthenticated") return { "www-authenticate": "Bearer" };
  if (code === "unavailable") return { "retry-after": "1" };
  if (code === "storage_unavailable") return { "retry-after": "5" };
  return {};
}
