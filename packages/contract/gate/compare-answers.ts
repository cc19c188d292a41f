import type { Header, OpenApiDocument, Reference, ResponseObject } from "../src/openapi/shape.ts";
import { breaking, type Change, harmless } from "./change.ts";
import type { Documents } from "./compare-contracts.ts";
import { compareSchemas } from "./compare-schemas.ts";

type Answers = Readonly<Record<string, ResponseObject | Reference>>;

/** What an operation answers: its success by status, shape and headers, its refusals by their codes. */
export function compareAnswers(
  route: string,
  before: Answers,
  after: Answers,
  documents: Documents,
): Change[] {
  const old = resolveAll(before, documents.released);
  const fresh = resolveAll(after, documents.current);
  return [...compareSuccess(route, old, fresh, documents), ...compareCodes(route, old, fresh)];
}

type Resolved = ReadonlyMap<string, ResponseObject>;

function compareSuccess(route: string, before: Resolved, after: Resolved, documents: Documents): Change[] {
  const old = [...before].filter(([status]) => isSuccess(status));
  const fresh = [...after].filter(([status]) => isSuccess(status));
  const added = fresh.filter(([status]) => !before.has(status));
  return [
    ...added.map(([status]) => breaking(`${route}, answer ${status}`, "The answer is new.")),
    ...old.flatMap(([status, answer]) => {
      const place = `${route}, answer ${status}`;
      const other = after.get(status);
      return other === undefined
        ? [breaking(place, "The answer is gone.")]
        : [
            ...compareHeaders(place, answer, other, documents),
            ...compareBodies(place, answer, other, documents),
          ];
    }),
  ];
}

function compareBodies(
  place: string,
  before: ResponseObject,
  after: ResponseObject,
  documents: Documents,
): Change[] {
  const old = before.content?.["application/json"]?.schema;
  const fresh = after.content?.["application/json"]?.schema;
  if (old === undefined && fresh === undefined) return [];
  if (old === undefined) return [breaking(place, "The answer has a body now.")];
  if (fresh === undefined) return [breaking(place, "The answer has no body any more.")];
  return compareSchemas("answered", place, old, fresh, documents);
}

function compareHeaders(
  place: string,
  before: ResponseObject,
  after: ResponseObject,
  documents: Documents,
): Change[] {
  const added = Object.keys(after.headers).filter((name) => !(name in before.headers));
  return [
    ...added.map((name) => harmless(`${place}, header ${name}`, "The header is new.")),
    ...Object.entries(before.headers).flatMap(([name, header]) => {
      const at = `${place}, header ${name}`;
      const other = after.headers[name];
      if (other === undefined) return [breaking(at, "The header is gone.")];
      const old = resolveHeader(header, documents.released);
      const fresh = resolveHeader(other, documents.current);
      const lost = old.required && !fresh.required ? [breaking(at, "The header may be absent now.")] : [];
      return [...lost, ...compareSchemas("answered", at, old.schema, fresh.schema, documents)];
    }),
  ];
}

function compareCodes(route: string, before: Resolved, after: Resolved): Change[] {
  const old = codesOf(before);
  const fresh = codesOf(after);
  const added = [...fresh].filter(([code]) => !old.has(code));
  return [
    ...added.map(([code, status]) => breaking(route, `It can be refused with ${status} ${code} now.`)),
    ...[...old].flatMap(([code, status]) => {
      const other = fresh.get(code);
      if (other === undefined) return [harmless(route, `It is no longer refused with ${status} ${code}.`)];
      return other === status
        ? []
        : [breaking(route, `The status of ${code} changes from ${status} to ${other}.`)];
    }),
  ];
}

/** The code of each refusal with its status; a refusal's examples are named by its codes. */
function codesOf(answers: Resolved): Map<string, string> {
  return new Map(
    [...answers]
      .filter(([status]) => !isSuccess(status))
      .flatMap(([status, { content }]) =>
        Object.keys(content?.["application/problem+json"]?.examples ?? {}).map((code) => [code, status]),
      ),
  );
}

function isSuccess(status: string): boolean {
  return status.startsWith("2");
}

function resolveAll(answers: Answers, document: OpenApiDocument): Map<string, ResponseObject> {
  return new Map(
    Object.entries(answers).map(([status, answer]) => {
      if (!("$ref" in answer)) return [status, answer];
      const found = document.components.responses[nameOf(answer)];
      if (found === undefined) throw new Error(`The document lacks ${answer.$ref}.`);
      return [status, found];
    }),
  );
}

function resolveHeader(header: Header | Reference, document: OpenApiDocument): Header {
  if (!("$ref" in header)) return header;
  const found = document.components.headers[nameOf(header)];
  if (found === undefined) throw new Error(`The document lacks ${header.$ref}.`);
  return found;
}

function nameOf({ $ref }: Reference): string {
  return $ref.split("/").at(-1) ?? "";
}
