import type { OpenApiDocument } from "../src/openapi/shape.ts";
import { breaking, type Change, harmless } from "./change.ts";
import { compareAnswers } from "./compare-answers.ts";
import { compareParameters } from "./compare-parameters.ts";
import { compareSchemas } from "./compare-schemas.ts";

type PathItem = OpenApiDocument["paths"][string];
type Operation = NonNullable<PathItem["get"]>;

/** Every difference between the contract that was released and the one at hand. */
export function compareContracts(released: OpenApiDocument, current: OpenApiDocument): Change[] {
  const before = listOperations(released);
  const after = listOperations(current);
  const removed = [...before.keys()].filter((route) => !after.has(route));
  const added = [...after.keys()].filter((route) => !before.has(route));
  return [
    ...removed.map((route) => breaking(route, "The operation is gone.")),
    ...added.map((route) => harmless(route, "The operation is new.")),
    ...[...before].flatMap(([route, operation]) => {
      const other = after.get(route);
      return other === undefined ? [] : compareOperations(route, operation, other, { released, current });
    }),
  ];
}

/** The two documents, for following references in them. */
export interface Documents {
  readonly released: OpenApiDocument;
  readonly current: OpenApiDocument;
}

function listOperations({ paths }: OpenApiDocument): Map<string, Operation> {
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
    ),
  );
}

function compareOperations(
  route: string,
  before: Operation,
  after: Operation,
  documents: Documents,
): Change[] {
  return [
    ...compareMarks(route, before, after),
    ...compareParameters(route, before.parameters ?? [], after.parameters ?? [], documents),
    ...compareBodies(route, before, after, documents),
    ...compareAnswers(route, before.responses, after.responses, documents),
  ];
}

function compareMarks(route: string, before: Operation, after: Operation): Change[] {
  const changes: Change[] = [];
  if (before.operationId !== after.operationId)
    changes.push(breaking(route, `Its name changes from ${before.operationId} to ${after.operationId}.`));
  if (before["x-madang-access"] !== after["x-madang-access"]) {
    const what = `It takes ${after["x-madang-access"]} instead of ${before["x-madang-access"]}.`;
    changes.push(after["x-madang-access"] === "any_key" ? harmless(route, what) : breaking(route, what));
  }
  if (before["x-madang-idempotent"] && !after["x-madang-idempotent"])
    changes.push(breaking(route, "It may no longer be repeated safely."));
  if (!before["x-madang-idempotent"] && after["x-madang-idempotent"])
    changes.push(harmless(route, "It may now be repeated safely."));
  return changes;
}

function compareBodies(route: string, before: Operation, after: Operation, documents: Documents): Change[] {
  const place = `${route}, body`;
  const [old, fresh] = [before.requestBody, after.requestBody];
  if (old === undefined && fresh === undefined) return [];
  if (fresh === undefined) return [breaking(place, "A body is no longer taken.")];
  if (old === undefined) {
    const what = fresh.required ? "A body is required now." : "A body may be sent now.";
    return [fresh.required ? breaking(place, what) : harmless(place, what)];
  }
  const changes: Change[] = [];
  if (!old.required && fresh.required) changes.push(breaking(place, "The body is required now."));
  if (old.required && !fresh.required) changes.push(harmless(place, "The body may be left out now."));
  const type = "application/json";
  return [
    ...changes,
    ...compareSchemas(
      "sent",
      place,
      old.content[type]?.schema ?? {},
      fresh.content[type]?.schema ?? {},
      documents,
    ),
  ];
}
