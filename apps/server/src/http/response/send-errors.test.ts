import { expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";

test("requests that find no free connection share lines of the log, with their number", async () => {
  const server = await startServer({ maxConnections: 1, maxWaitMs: 500 });
  await server.db.transaction(async () => {
    const paths = Array.from({ length: 15 }, (_, index) => `/v1/users?limit=${5 + index}`);
    const replies = await Promise.all(paths.map((path) => call(server.url, "GET", path)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]));
  });
  const lines = () =>
    server.logLines.filter((line) => line.includes('"level":50')).map((line) => JSON.parse(line));
  await expect.poll(() => lines().reduce((sum, { count }) => sum + count, 0)).toBe(15);
  // One a second. A busy machine takes several to respond.
  expect(lines().length).toBeLessThan(10);
  for (const { reason } of lines()) expect(reason).toContain("limit of connections to the database");
  await server.close();
});
