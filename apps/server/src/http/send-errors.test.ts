import { expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer } from "../../test/support/server";

test("requests that find no free connection share one line of the log, with their number", async () => {
  const server = await startServer({ maxConnections: 1, connectTimeoutMs: 300 });
  await server.db.readOnOneConnection(async () => {
    const paths = Array.from({ length: 15 }, (_, index) => `/v1/users?limit=${5 + index}`);
    const replies = await Promise.all(paths.map((path) => call(server.url, "GET", path)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  });
  const find = () => server.logLines.filter((line) => line.includes('"level":50'));
  await expect.poll(() => find().length).toBe(1);
  expect(JSON.parse(find()[0] ?? "")).toMatchObject({
    count: 15,
    reason: "timeout exceeded when trying to connect",
  });
  await server.close();
});
