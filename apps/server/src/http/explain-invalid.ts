import type { InvalidField } from "@madang/contract";
import type { RequestValidationError } from "@ts-rest/express";
import { ServiceError } from "../errors";

/** What of an issue we read. Zod's own fields beyond the standard ones may be there. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
}

type Place = InvalidField["in"];

const maxErrors = 50;
const maxPathLength = 200;

/** Turns what the contract found wrong with a request into a refusal that names every broken rule. */
export function explainInvalid(error: RequestValidationError): ServiceError {
  const parts: [Place, { issues: readonly Issue[] } | null][] = [
    ["path", error.pathParams],
    ["header", error.headers],
    ["query", error.query],
    ["body", error.body],
  ];
  const errors = parts
    .flatMap(([place, part]) => (part?.issues ?? []).flatMap((issue) => explain(place, issue)))
    .slice(0, maxErrors);
  const [first] = errors;
  const what = first === undefined ? "" : ` ${describe(first)}`;
  return new ServiceError("invalid_request", `The request is invalid.${what}`, errors);
}

function explain(place: Place, issue: Issue): InvalidField[] {
  const path = (issue.path ?? []).map((step) => String(typeof step === "object" ? step.key : step));
  if (issue.code === "unrecognized_keys")
    return (issue.keys ?? []).map((key) => ({
      in: place,
      path: shorten([...path, key].join(".")),
      message: place === "query" ? "This query parameter is unknown." : "This field is unknown.",
    }));
  return [{ in: place, path: shorten(path.join(".")), message: sentence(place, path, issue) }];
}

function sentence(place: Place, path: readonly string[], { code, message, expected }: Issue): string {
  if (code !== "invalid_type") return message;
  if (message.endsWith("received undefined")) {
    if (path.length === 0) return "A JSON body is required, and none arrived. A proxy may have removed it.";
    return "It is required.";
  }
  if (place === "query" && message.endsWith("received array"))
    return "It was sent more than once. Send it once.";
  return `Must be ${expected === "array" || expected === "object" ? "an" : "a"} ${expected}.`;
}

function describe({ in: place, path, message }: InvalidField): string {
  return path === "" ? message : `In the ${place}, ${path}: ${message}`;
}

/** A name that somebody made up may be as long as a body; its beginning is enough to find it by. */
function shorten(path: string): string {
  return path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path;
}
