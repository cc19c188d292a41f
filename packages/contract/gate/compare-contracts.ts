import { apiDiff } from "api-smart-diff";
import type { OpenApiDocument } from "../src/openapi/shape.ts";

type Difference = ReturnType<typeof apiDiff>[number];

/** A difference between two contracts, and whether it breaks clients of the first. */
export interface Change {
  readonly isBreaking: boolean;
  /** The operation: `POST /v1/users`. */
  readonly operation: string;
  /** For example "[Removed] property `meta` in Request Body content (application/json)". */
  readonly description: string;
}

/** Every difference of an operation between the released contract and the current one, except in texts and examples. */
export function compareContracts(released: OpenApiDocument, current: OpenApiDocument): Change[] {
  return apiDiff(released, current)
    .map((difference) => ({ ...difference, path: difference.path.map(String) }))
    .filter(({ path: [section] }) => section === "paths")
    .filter(
      ({ path, type }) =>
        !path.includes("examples") &&
        !path.includes("x-codeSamples") &&
        (type !== "annotation" || isSemanticAnnotation(path)),
    )
    .map((difference) => {
      const [, route = "", method = "", ...rest] = difference.path;
      return {
        isBreaking: isBreaking(difference, rest),
        operation: `${method.toUpperCase()} ${route}`.trim(),
        description: difference.description ?? `[${difference.action}] ${rest.join(" / ")}`,
      };
    });
}

/** Fields of an operation that the library treats as annotations, but clients depend on. */
function isSemanticAnnotation([, , , field = ""]: readonly string[]): boolean {
  return ["operationId", "x-madang-access"].includes(field);
}

/** The library's classification, except where this contract is stricter or more lenient than OpenAPI in general. */
function isBreaking({ action, type, after }: Difference, [field = "", ...rest]: readonly string[]): boolean {
  if (field === "operationId") return true;
  if (field === "x-madang-access") return after === "master_key";
  // Unknown fields of a request are rejected, so a client that still sends this one breaks.
  if (field === "requestBody" && action === "remove" && rest.at(-2) === "properties") return true;
  // Clients branch on the statuses and codes of an operation, which are a closed list.
  if (field === "responses" && rest.length === 1) return action === "add" || Number(rest[0]) < 400;
  // A keyword that the library does not know may mean anything.
  return type === "breaking" || type === "unclassified";
}
