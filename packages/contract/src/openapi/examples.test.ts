import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import * as z from "zod";
import { errorCodes, errors, problem } from "../errors";
import type { Example } from "../metadata";
import { operations } from "../operations";
import { openApiDocument } from "./document";
import type { MediaType } from "./shape";

const document = openApiDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
const requests = described.flatMap(({ operation }) =>
  mediaTypes(operation.operationId, operation.requestBody?.content),
);
const answers = described.flatMap(({ operation }) =>
  Object.entries(operation.responses).flatMap(([status, answer]) =>
    "$ref" in answer ? [] : mediaTypes(`${operation.operationId} ${status}`, answer.content),
  ),
);
const refusals = Object.entries(document.components.responses).flatMap(([name, answer]) =>
  mediaTypes(name, answer.content),
);

test.each([...requests, ...answers, ...refusals])("the example of $place fits its schema", (sample) => {
  const validate = ajv.compile(inDocument(sample.schema));
  expect(validate(sample.example.value), JSON.stringify(validate.errors)).toBe(true);
});

test.each(operations)("the examples of $id fit the contract", ({ route, examples }) => {
  const { query, requests = {}, responses = {} } = examples;
  if (query !== undefined) requireSchema(route.query).parse(query);
  const body = "body" in route ? route.body : undefined;
  for (const { value } of Object.values(requests)) requireSchema(body).parse(value);
  const success = Object.entries(route.responses).find(([status]) => Number(status) < 400);
  for (const { value } of Object.values(responses)) requireSchema(success?.[1]).parse(value);
});

test("every code has an example, with its own status", () => {
  const shown = refusals.map(({ example }) => problem(errorCodes).parse(example.value));
  const inOperations = errorCodes.filter(
    (code) => code !== "route_not_found" && code !== "method_not_allowed",
  );
  expect([...new Set(shown.map(({ code }) => code))].sort()).toEqual([...inOperations].sort());
  for (const { code, status } of shown) expect(status).toBe(errors[code].status);
});

function mediaTypes(place: string, content: Readonly<Record<string, MediaType>> = {}) {
  return Object.values(content).flatMap(({ schema, examples: named = {} }) =>
    Object.entries(named).map(([name, example]: [string, Example]) => ({
      place: `${place}, ${name}`,
      schema,
      example,
    })),
  );
}

/** References of the document point to its own root, which ajv knows by this name. */
function inDocument(schema: MediaType["schema"]): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components'));
}

function requireSchema(schema: unknown): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error("An example is given where the contract has no schema.");
}
