import { RequestValidationError } from "@ts-rest/express";
import { expect, test } from "vitest";
import * as z from "zod";
import { explainInvalid } from "./explain-invalid";

const schema = z.strictObject({
  name: z.string().max(3, "Must be short."),
  limit: z.string().optional(),
  time: z.int("Must be a time.").optional(),
  count: z.int().optional(),
  tags: z.array(z.string()).optional(),
  inner: z.strictObject({ a: z.number() }).optional(),
});
const errorFor = (value: unknown, own: z.ZodType = schema) => own.safeParse(value).error ?? null;
const inBody = (body: unknown) =>
  explainInvalid(new RequestValidationError(null, null, null, errorFor(body)), { query: {}, body });
const sent = { query: {}, body: {} };

test.each([
  [{ name: "long" }, "name", "Must be short."],
  [{}, "name", "It is required."],
  [{ name: 1 }, "name", "Must be a string."],
  [{ name: ["a"] }, "name", "Must be a string."],
  [{ name: "a", time: "noon" }, "time", "Must be a time."],
  [{ name: "a", time: 0.5 }, "time", "Must be a time."],
  [{ name: "a", count: 0.5 }, "count", "Must be a whole number."],
  [{ name: "a", tags: 1 }, "tags", "Must be an array."],
  [{ name: "a", tags: ["a", 2] }, "tags.1", "Must be a string."],
  [{ name: "a", inner: "x" }, "inner", "Must be an object."],
  [{ name: "a", inner: { a: "x" } }, "inner.a", "Must be a number."],
  [{ name: "a", more: 1 }, "more", "This field is unknown."],
  [{ name: "a", inner: { a: 1, b: 2 } }, "inner.b", "This field is unknown."],
])("in the body %j, %s: %s", (body, path, message) => {
  const error = inBody(body);
  expect(error.code).toBe("invalid_request");
  expect(error.errors).toEqual([{ in: "body", path, message }]);
  expect(error.detail).toBe(`The request is invalid. In the body, ${path}: ${message}`);
});

test("a missing body and a missing field have different messages", () => {
  const message = "A JSON body is required, but none was received. A proxy may have removed it.";
  expect(inBody(undefined).errors).toEqual([{ in: "body", path: "", message }]);
  expect(inBody(undefined).detail).toBe(`The request is invalid. ${message}`);
  expect(inBody("x").errors).toEqual([{ in: "body", path: "", message: "Must be an object." }]);
});

test("unknown and repeated query parameters have their own messages", () => {
  const query = { name: "a", limit: ["5", "6"], surprise: "1", other: "2" };
  const error = new RequestValidationError(null, null, errorFor(query), null);
  expect(explainInvalid(error, { query, body: undefined }).errors).toEqual([
    { in: "query", path: "limit", message: "It was sent more than once. Send it once." },
    { in: "query", path: "surprise", message: "This query parameter is unknown." },
    { in: "query", path: "other", message: "This query parameter is unknown." },
  ]);
});

test("every invalid part of a request is reported, the path first", () => {
  const one = errorFor({ name: "long" });
  const error = explainInvalid(new RequestValidationError(one, one, one, one), sent);
  expect(error.errors?.map(({ in: part }) => part)).toEqual(["path", "header", "query", "body"]);
  expect(error.detail).toBe("The request is invalid. In the path, name: Must be short.");
});

test("an error without issues has no fields, and path segments may be objects", () => {
  const empty = explainInvalid(new RequestValidationError(null, null, null, null), sent);
  expect([empty.detail, empty.errors]).toEqual(["The request is invalid.", []]);
  const issues = [
    { message: "No.", path: [{ key: "a" }, 0, "b"] },
    { message: "All.", path: undefined },
    { message: "", code: "unrecognized_keys" },
  ];
  // Other libraries with the Standard Schema interface have such segments; Zod's types allow only its own.
  const other = new z.ZodError(issues as unknown as z.core.$ZodIssue[]);
  expect(explainInvalid(new RequestValidationError(null, null, null, other), sent).errors).toEqual([
    { in: "body", path: "a.0.b", message: "No." },
    { in: "body", path: "", message: "All." },
  ]);
});

test("at most 50 errors are reported, with at most 200 characters of each path", () => {
  const body = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field_${index}`, 1]));
  expect(inBody({ name: "a", ...body }).errors).toHaveLength(50);
  const path = (length: number) => inBody({ name: "a", ["x".repeat(length)]: 1 }).errors?.[0]?.path;
  expect(path(200)).toBe("x".repeat(200));
  expect(path(201)).toBe(`${"x".repeat(200)}…`);
});
