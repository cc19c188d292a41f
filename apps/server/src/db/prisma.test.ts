import { expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer } from "../../test/support/server";

test("Prisma's queries are timed under a name, like statements", async () => {
  const timed = new Map<string, number>();
  const server = await startServer({}, { onStatement: (name, durationMs) => timed.set(name, durationMs) });
  await call(server.url, "GET", "/v1/applications/keys");
  await server.close();
  expect(timed.get("prisma.SubKey.findMany")).toBeGreaterThan(0);
});
