import { type ErrorCode, errors, type InvalidField } from "@madang/contract";
import type { Response } from "./interaction";

type StatusOf<Code extends ErrorCode> = (typeof errors)[Code]["status"];

/** A refusal. The status is written out where it is expected, and only the one of the code compiles. */
export function refusal<Code extends ErrorCode>(
  status: StatusOf<Code>,
  code: Code,
  broken?: readonly Broken[],
): Response {
  const headers = { "content-type": "application/problem+json; charset=utf-8", ...headersOf(code) };
  const body = {
    type: `/docs#${code}`,
    title: errors[code].title,
    status,
    detail: "A sentence that says what went wrong and what to do.",
    code,
    request_id: "request-1",
    ...(broken && {
      errors: broken.map((field) => ({ ...field, message: "A sentence that says the rule." })),
    }),
  };
  return { status, headers, body };
}

/** Where a rule is broken. */
export type Broken = Pick<InvalidField, "in" | "path">;

/** The refusal of a request for one field or parameter. */
export function invalid(place: Broken["in"], path: string): Response {
  return refusal(400, "invalid_request", [{ in: place, path }]);
}

function headersOf(code: ErrorCode): Readonly<Record<string, string>> {
  if (code === "unauthenticated") return { "www-authenticate": "Bearer" };
  if (code === "unavailable") return { "retry-after": "1" };
  return {};
}
