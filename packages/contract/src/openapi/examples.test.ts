import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import * as z from "zod";
import { errorCodes, errors, problem } from "../errors/errors";
import { operations } from "../operation-list";
import type { Example } from "../operation-metadata";
import { openApiDocument } from "./document";
import type { MediaType } from "./shape";

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
for (const format of ["unix-ms", "unix-ms-or-0"])
  ajv.addFormat(format, { type: "number", validate: () => true });
ajv.addSchema(document, "openapi");

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const requests = described.flatMap(({ operation }) =>
  mediaTypes(operation.operationId, operation.requestBody?.content),
);
const successes = described.flatMap(({ operation }) =>
  Object.entries(operation.responses).flatMap(([status, response]) =>
    "$ref" in response ? [] : mediaTypes(`${operation.operationId} ${status}`, response.content),
  ),
);
const problems = Object.entries(document.components.responses).flatMap(([name, response]) =>
  mediaTypes(name, response.content),
);

test.each([...requests, ...successes, ...problems])(
  "the example of $location is valid for its schema",
  (sample) => {
    const validate = ajv.compile(inDocument(sample.schema));
    expect(validate(sample.example.value), JSON.stringify(validate.errors)).toBe(true);
  },
);

test.each(operations)("the examples of $id are valid", ({ route, examples }) => {
  const { query, requests = {}, responses = {} } = examples;
  if (query !== undefined) requireSchema(route.query).parse(query);
  const body = "body" in route ? route.body : undefined;
  for (const { value } of Object.values(requests)) requireSchema(body).parse(value);
  const success = Object.entries(route.responses).find(([status]) => Number(status) < 400);
  for (const { value } of Object.values(responses)) requireSchema(success?.[1]).parse(value);
});

test("every code has an example, with its own status", () => {
  const examples = problems.map(({ example }) => problem(errorCodes).parse(example.value));
  const inOperations = errorCodes.filter(
    (code) => code !== "route_not_found" && code !== "method_not_allowed",
  );
  expect([...new Set(examples.map(({ code }) => code))].sort()).toEqual([...inOperations].sort());
  for (const { code, status } of examples) expect(status).toBe(errors[code].status);
});

function mediaTypes(location: string, content: Readonly<Record<string, MediaType>> = {}) {
  return Object.values(content).flatMap(({ schema, examples: named = {} }) =>
    Object.entries(named).map(([name, example]: [string, Example]) => ({
      location: `${location}, ${name}`,
      schema,
      example,
    })),
  );
}

/** Prefixes references with the name under which ajv knows the document. */
function inDocument(schema: MediaType["schema"]): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
}

function requireSchema(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("There is an example without a schema.");
}
