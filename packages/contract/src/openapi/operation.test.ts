import { expect, test } from "vitest";
import * as z from "zod";
import { errors } from "../errors/errors";
import { operations } from "../operation-list";
import { eventStreamOperation } from "../operations/events/event-stream";
import { openApiDocument } from "./document";
import type { OperationObject, Reference, ResponseObject } from "./shape";

const document = openApiDocument();
const described = new Map(
  Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .map((operation) => [operation.operationId, operation]),
);

const all = [...operations, eventStreamOperation];

test("every operation of the contract and the stream of events are described, and nothing else", () => {
  expect([...described.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
});

test.each(all)("$id has the statuses of the contract, each with the request id", ({ id, route }) => {
  const { responses } = requireOperation(id);
  expect(Object.keys(responses).sort()).toEqual(Object.keys(route.responses).sort());
  for (const response of Object.values(responses))
    expect(resolve(response).headers).toHaveProperty("X-Request-Id");
});

test.each(all)("$id has its access and its extension flag", (operation) => {
  const { access, extension } = operation;
  expect(requireOperation(operation.id)).toMatchObject({
    "x-madang-access": access,
    ...(extension ? { "x-madang-extension": true } : {}),
  });
  expect("x-madang-extension" in requireOperation(operation.id)).toBe(extension);
});

test("responses document the headers that are sent", () => {
  const create = requireOperation("channels.create").responses;
  expect(headersOf(create[201])).toContain("X-Channel-Created");
  expect(headersOf(create[401])).toContain("WWW-Authenticate");
  expect(headersOf(create[429])).toContain("Retry-After");
  expect(headersOf(create[503])).toContain("Retry-After");
  expect(headersOf(create[409])).toContain("Retry-After");
  expect(headersOf(create[201])).toContain("Idempotent-Replayed");
});

test.each(operations)("$id has an idempotency key if it is not a GET", ({ id, route }) => {
  const names = (requireOperation(id).parameters ?? []).map(({ name }) => name);
  expect(names.includes("Idempotency-Key")).toBe(route.method !== "GET");
});

test("every path parameter is in its path and required", () => {
  for (const [path, item] of Object.entries(document.paths))
    for (const { parameters = [] } of Object.values(item)) {
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      );
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
});

test("the stream of events is described as server-sent events, which the header of the last id resumes", () => {
  const { parameters = [], responses } = requireOperation("events.stream");
  expect(Object.keys(resolve(responses[200]).content ?? {})).toEqual(["text/event-stream"]);
  expect(parameters.map(({ name, in: location }) => `${location} ${name}`)).toEqual([
    "query after",
    "query types",
    "query presence",
    "query channel_id",
    "query live",
    "query presence_of",
    "header Last-Event-Id",
    "header X-Madang-Actor",
    "header X-Madang-Reason",
  ]);
});

test("both responses of the user list are documented", () => {
  const response = resolve(requireOperation("users.list").responses[200]);
  expect(response.content?.["application/json"]?.schema).toEqual({
    oneOf: [
      { $ref: "#/components/schemas/UserPage" },
      { type: "array", items: { $ref: "#/components/schemas/User" } },
    ],
  });
});

test("request objects are closed, response objects are open", () => {
  const requestSchemas = referencedFrom([...described.values()].map(({ requestBody }) => requestBody));
  for (const [id, operation] of described) {
    for (const object of objectsIn(operation.requestBody))
      expect(object, id).toHaveProperty("additionalProperties");
    for (const object of objectsIn(operation.responses))
      expect(object, id).not.toHaveProperty("additionalProperties", false);
  }
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const object of objectsIn(schema))
      if (requestSchemas.has(name)) expect(object, name).toHaveProperty("additionalProperties");
      else expect(object, name).not.toHaveProperty("additionalProperties", false);
});

test("an error response has only the codes of its status", () => {
  const { responses } = requireOperation("channels.managers.remove");
  const code = z.object({
    schema: z.object({
      allOf: z.array(
        z.object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }).optional() }),
      ),
    }),
  });
  const problem = code.parse(resolve(responses[404]).content?.["application/problem+json"]);
  const codes = problem.schema.allOf.flatMap(({ properties }) => properties?.code.enum ?? []);
  expect(codes).toEqual(["channel_not_found", "user_not_found", "manager_not_found"]);
  expect(new Set(codes.map((name) => z.enum(Object.keys(errors)).parse(name)))).toHaveLength(3);
});

function requireOperation(id: string): OperationObject {
  const operation = described.get(id);
  if (operation === undefined) throw new Error(`${id} is not described.`);
  return operation;
}

function resolve(response: ResponseObject | Reference | undefined): ResponseObject {
  if (response === undefined) throw new Error("The response is missing.");
  if (!("$ref" in response)) return response;
  return resolve(document.components.responses[response.$ref.split("/").at(-1) ?? ""]);
}

function headersOf(response: ResponseObject | Reference | undefined): string[] {
  return Object.keys(resolve(response).headers);
}

/** The names of the schemas that a value refers to, directly or through others. */
function referencedFrom(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ""] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (names.has(name)) continue;
    names.add(name);
    referencedFrom(document.components.schemas[name], names);
  }
  return names;
}

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, entry]) =>
    key === "examples" ? [] : objectsIn(entry),
  );
  return "type" in value && value.type === "object" ? [value, ...inside] : inside;
}
