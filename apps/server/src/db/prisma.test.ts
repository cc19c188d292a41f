import { expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer } from "../../test/support/server";
import { withConnection } from "./connection/with-connection";

test("Prisma's queries are timed under a name, like statements", async () => {
  const timed = new Map<string, number>();
  const server = await startServer({ onStatement: (name, durationMs) => void timed.set(name, durationMs) });
  await call(server.url, "GET", "/v1/webhooks");
  await server.close();
  expect(timed.get("prisma.Webhook.findMany")).toBeGreaterThan(0);
});

test("a query of Prisma that waits too long for a lock gets 503, as a statement does", async () => {
  const server = await startServer({ settings: { MADANG_STATEMENT_TIMEOUT_MS: "1500" } });
  const { status } = await withConnection(server.databaseUrl, async (client) => {
    await client.query("BEGIN; LOCK TABLE webhooks IN ACCESS EXCLUSIVE MODE");
    return call(server.url, "GET", "/v1/webhooks");
  });
  await server.close();
  expect(status).toBe(503);
});
