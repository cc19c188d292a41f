import { afterAll, expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { masterKey, startServer } from "../../../test/support/server";

const server = await startServer();
afterAll(() => server.close());

async function lineOf(traceparent: string): Promise<Record<string, unknown>> {
  const id = `trace-${server.logLines.length}`;
  await call(server.url, "GET", "/v1/users", { headers: { traceparent, "X-Request-Id": id } });
  const line = server.logLines.find((each) => each.includes(`"request_id":"${id}"`));
  return JSON.parse(line ?? "{}");
}

test("the trace of a request is logged", async () => {
  expect(await lineOf("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).toMatchObject({
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
    parent_id: "00f067aa0ba902b7",
  });
});

test.each([
  "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
  "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
  "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
  '"}{"level":60',
])("an invalid traceparent is not logged: %s", async (traceparent) => {
  expect(await lineOf(traceparent)).not.toHaveProperty("trace_id");
});

test.each([
  ["the master key", () => masterKey],
  ["a sub key", async () => (await call(server.url, "POST", "/v1/applications/keys")).body.key],
])("a request id that contains %s is replaced, and not logged", async (_what, makeKey) => {
  const id = `id:${await makeKey()}`;
  const { headers } = await call(server.url, "GET", "/v1/users", { headers: { "X-Request-Id": id } });
  expect(headers.get("X-Request-Id")).not.toBe(id);
  expect(server.logLines.join("")).toContain(`"request_id":"${headers.get("X-Request-Id")}"`);
  expect(server.logLines.join("")).not.toContain(id);
});
