import { expect, test } from "vitest";
import { call } from "../../../test/support/call";
import { startServer } from "../../../test/support/server";

test("a request that waits too long for its turns gets 503, however long each of them may take", async () => {
  const server = await startServer({ maxConnections: 1, connectTimeoutMs: 300_000, maxWaitMs: 300 });
  await server.db.transaction(async () => {
    const { status, headers, body } = await call(server.url, "GET", "/v1/users");
    expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
    expect(body.detail).toBe("The server is at its limit of connections to the database. Try again shortly.");
  });
  // A statement of the background may have the connection for as long.
  await expect.poll(async () => (await call(server.url, "GET", "/v1/users")).status).toBe(200);
  await server.close();
});
