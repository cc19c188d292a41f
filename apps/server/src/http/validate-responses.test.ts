import type { AddressInfo } from "node:net";
import express, { type RequestHandler } from "express";
import { expect, test } from "vitest";
import { type InvalidResponse, validateResponses } from "./validate-responses";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
const refusal = {
  type: "/docs#internal",
  title: "t",
  status: 500,
  detail: "d",
  code: "internal",
  request_id: "r",
};

const inTwoParts: RequestHandler = (_, response) => {
  const text = JSON.stringify(user);
  response.write(text.slice(0, 5));
  response.end(text.slice(5));
};

test.each<[string, RequestHandler, string | undefined]>([
  ["an answer of the contract", (_, response) => void response.json(user), undefined],
  ["one with a further field", (_, response) => void response.json({ ...user, more: 1 }), undefined],
  ["one in two parts", inTwoParts, undefined],
  ["a refusal of the contract", (_, response) => void response.status(500).json(refusal), undefined],
  [
    "a field of another type",
    (_, response) => void response.json({ ...user, name: 7 }),
    "body name: invalid_type",
  ],
  [
    "a field that is missing",
    (_, response) => void response.json({ ...user, meta: undefined }),
    "body meta: custom",
  ],
  ["no JSON", (_, response) => void response.end("{"), "body : invalid_type"],
  [
    "a status that is not there",
    (_, response) => void response.status(202).json(user),
    "The contract has no response 202.",
  ],
  [
    "a code of another operation",
    (_, response) => void response.status(500).json({ ...refusal, code: "user_exists" }),
    "body code: invalid_value",
  ],
])("%s", async (_name, handler, rule) => {
  const { wrong } = await answer(handler, "users.get", true);
  expect(wrong).toEqual(
    rule === undefined ? [] : [{ operation: "users.get", status: expect.any(Number), requestId: "r1", rule }],
  );
});

test("a body where there should be none", async () => {
  const { wrong } = await answer((_, response) => void response.json({}), "users.delete", true);
  expect(wrong[0]?.rule).toBe("The response has a body.");
});

test("a header that is missing", async () => {
  const { wrong } = await answer((_, response) => void response.json(user), "users.get", false);
  expect(wrong[0]?.rule).toBe("The header X-Request-Id is missing.");
});

test("the answer goes out as it is, wrong or not", async () => {
  const { status, text } = await answer(
    (_, response) => void response.status(202).send("한글"),
    "users.get",
    true,
  );
  expect([status, text]).toEqual([202, "한글"]);
});

test("under /v1 what is no operation is refused with a problem; elsewhere anything goes", async () => {
  const probe = await answer(
    (_, response) => void response.status(503).send("<p>"),
    undefined,
    true,
    "/readyz",
  );
  expect(probe.wrong).toEqual([]);
  const page = await answer((_, response) => void response.status(404).send("<p>"), undefined, true);
  expect(page.wrong[0]?.rule).toBe("body : invalid_type");
});

async function answer(
  handler: RequestHandler,
  operation: string | undefined,
  hasId: boolean,
  path = "/v1/x",
) {
  const wrong: InvalidResponse[] = [];
  const app = express();
  app.use((_request, response, next) => {
    Object.assign(response.locals, { requestId: "r1", operation });
    if (hasId) response.setHeader("X-Request-Id", "r1");
    next();
  });
  app.use(
    validateResponses((found) => wrong.push(found)),
    handler,
  );
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  // A server that listens on a port has an address of this form.
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
  const text = await response.text();
  await new Promise((resolve) => server.close(resolve));
  return { status: response.status, text, wrong };
}
