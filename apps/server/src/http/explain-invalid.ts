import type { InvalidField } from "@madang/contract";
import { invalidRequest, type ServiceError } from "../errors";

/** The fields of an issue that are used: the standard ones, and those that Zod may add. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
}

/** What ts-rest or Zod found in a part of the request. */
interface Fault {
  readonly issues: readonly Issue[];
}

type Part = InvalidField["in"];

const maxErrors = 50;
const maxPathLength = 200;

/** Turns the validation errors of a request into an error response that lists each of them. */
export function explainInvalid(
  error: Record<"pathParams" | "headers" | "query" | "body", Fault | null>,
): ServiceError {
  const parts: [Part, Fault | null][] = [
    ["path", error.pathParams],
    ["header", error.headers],
    ["query", error.query],
    ["body", error.body],
  ];
  const errors = parts.flatMap(([part, result]) =>
    (result?.issues ?? []).flatMap((issue) => explain(part, issue)),
  );
  return invalidRequest(errors.slice(0, maxErrors));
}

function explain(part: Part, issue: Issue): InvalidField[] {
  const path = (issue.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment),
  );
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      in: part,
      path: shorten([...path, key].join(".")),
      message: part === "query" ? "This query parameter is unknown." : "This field is unknown.",
    }));
  return [{ in: part, path: shorten(path.join(".")), message: messageFor(part, path, issue) }];
}

function messageFor(part: Part, path: readonly string[], { code, message, expected }: Issue): string {
  // A rule of the contract has its own message.
  if (code !== "invalid_type" || !message.startsWith("Invalid input")) return message;
  if (message.endsWith("received undefined")) {
    if (path.length === 0)
      return "A JSON body is required, but none was received. A proxy may have removed it.";
    return "It is required.";
  }
  if (part === "query" && message.endsWith("received array"))
    return "It was sent more than once. Send it once.";
  return `Must be ${expected === "array" || expected === "object" ? "an" : "a"} ${expected}.`;
}

/** The name of an unknown field may be as long as the body. */
function shorten(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}
