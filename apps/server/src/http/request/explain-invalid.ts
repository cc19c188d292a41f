import { describeIssue, type InvalidField } from "@madang/contract";
import * as z from "zod";
import { invalidRequest, type ServiceError } from "../../errors/service-error";

/** The fields of an issue that are used: the standard ones, and those that Zod may add. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
}

/** What ts-rest or Zod found in a part of the request. */
interface Fault {
  readonly issues: readonly Issue[];
}

/** What was checked, as far as a message depends on it. */
export interface CheckedRequest {
  readonly query: unknown;
  readonly body: unknown;
}

// ts-rest passes no options to Zod.
z.config({ customError: describeIssue });

type Part = InvalidField["in"];

const maxErrors = 50;
const maxPathLength = 200;

/** Turns the validation errors of a request into an error response that lists each of them. */
export function explainInvalid(
  error: Record<"pathParams" | "headers" | "query" | "body", Fault | null>,
  sent: CheckedRequest,
): ServiceError {
  const parts: [Part, Fault | null][] = [
    ["path", error.pathParams],
    ["header", error.headers],
    ["query", error.query],
    ["body", error.body],
  ];
  const errors = parts.flatMap(([part, result]) =>
    (result?.issues ?? []).flatMap((issue) => explain(part, issue, sent)),
  );
  return invalidRequest(errors.slice(0, maxErrors));
}

function explain(part: Part, issue: Issue, sent: CheckedRequest): InvalidField[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment),
  );
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      in: part,
      path: shorten([...path, key].join(".")),
      message: part === "query" ? "This query parameter is unknown." : "This field is unknown.",
    }));
  return [{ in: part, path: shorten(path.join(".")), message: messageFor(part, path, issue, sent) }];
}

function messageFor(
  part: Part,
  [first]: readonly string[],
  { code, message }: Issue,
  { query, body }: CheckedRequest,
): string {
  if (code !== "invalid_type") return message;
  if (part === "body" && first === undefined && body === undefined)
    return "A JSON body is required, but none was received. A proxy may have removed it.";
  if (part === "query" && first !== undefined && Array.isArray(Object(query)[first]))
    return "It was sent more than once. Send it once.";
  return message;
}

/** The name of an unknown field may be as long as the body. */
function shorten(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}
