import type { AddressInfo } from "node:net";
import { operations } from "@madang/contract";
import express, { type RequestHandler } from "express";
import pino from "pino";
import { expect, test } from "vitest";
import { validateResponses } from "./validate-responses";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
const errorBody = {
  type: "/docs#internal",
  title: "t",
  status: 500,
  detail: "d",
  code: "internal",
  request_id: "r",
};

const inTwoChunks: RequestHandler = (_, response) => {
  const text = JSON.stringify(user);
  response.write(text.slice(0, 5));
  response.end(text.slice(5));
};

test.each<[string, RequestHandler]>([
  ["a valid response", (_, response) => void response.json(user)],
  ["an additional field", (_, response) => void response.json({ ...user, more: 1 })],
  ["a response in two chunks", inTwoChunks],
  ["a valid error", (_, response) => void response.status(500).json(errorBody)],
])("%s is not reported", async (_name, handler) => {
  expect((await respond(handler, "users.get", true)).invalid).toEqual([]);
});

test.each<[string, RequestHandler, string]>([
  [
    "a field of the wrong type",
    (_, response) => void response.json({ ...user, name: 7 }),
    "body name: invalid_type",
  ],
  ["a missing field", (_, response) => void response.json({ ...user, meta: undefined }), "body meta: custom"],
  ["invalid JSON", (_, response) => void response.end("{"), "body : invalid_type"],
  [
    "an undeclared status",
    (_, response) => void response.status(202).json(user),
    "The contract has no response 202.",
  ],
  [
    "an error code of another operation",
    (_, response) => void response.status(500).json({ ...errorBody, code: "user_exists" }),
    "body code: invalid_value",
  ],
])("%s is reported with the rule", async (_name, handler, rule) => {
  const { invalid } = await respond(handler, "users.get", true);
  expect(invalid).toMatchObject([
    { operation: "users.get", status: expect.any(Number), request_id: "r1", rule, invalid_responses: 1 },
  ]);
});

test("a body is reported if the contract has none", async () => {
  const { invalid } = await respond((_, response) => void response.json({}), "users.delete", true);
  expect(invalid[0]?.rule).toBe("The response has a body.");
});

test("a required header that is missing is reported", async () => {
  const { invalid } = await respond((_, response) => void response.json(user), "users.get", false);
  expect(invalid[0]?.rule).toBe("The header X-Request-Id is missing.");
});

test("an invalid response is sent unchanged", async () => {
  const { status, text } = await respond(
    (_, response) => void response.status(202).send("한글"),
    "users.get",
    true,
  );
  expect([status, text]).toEqual([202, "한글"]);
});

test("under /v1, an unknown route must respond with problem details; other paths are not validated", async () => {
  const probe = await respond(
    (_, response) => void response.status(503).send("<p>"),
    undefined,
    true,
    "/readyz",
  );
  expect(probe.invalid).toEqual([]);
  const page = await respond((_, response) => void response.status(404).send("<p>"), undefined, true);
  expect(page.invalid[0]?.rule).toBe("body : invalid_type");
});

async function respond(
  handler: RequestHandler,
  operation: string | undefined,
  hasId: boolean,
  path = "/v1/x",
  count = 1,
) {
  const lines: string[] = [];
  const app = express();
  app.use((_request, response, next) => {
    const found = operations.find(({ id }) => id === operation);
    Object.assign(response.locals, { requestId: "r1", operation: found });
    if (hasId) response.setHeader("X-Request-Id", "r1");
    next();
  });
  app.use(validateResponses(pino({}, { write: (line: string) => void lines.push(line) })), handler);
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // A server that listens on a port has an address of this form.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  for (let sent = 1; sent < count; sent++) await (await fetch(url)).text();
  const response = await fetch(url);
  const text = await response.text();
  await new Promise((resolve) => server.close(resolve));
  return { status: response.status, text, invalid: lines.map((line) => JSON.parse(line)) };
}

test("invalid responses are counted", async () => {
  const { invalid } = await respond((_, response) => void response.json({}), "users.get", true, "/v1/x", 2);
  expect(invalid).toMatchObject([{ invalid_responses: 1 }, { invalid_responses: 2 }]);
});
