import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../../test/support/call";
import { startServer, type TestServer } from "../../test/support/server";
import { createMetrics } from "./metrics";
import { type MetricsServer, serveMetrics } from "./serve-metrics";

const metrics = createMetrics();
let server: TestServer;
let shown: MetricsServer;
beforeAll(async () => {
  server = await startServer({ metrics }, { onStatement: metrics.observeStatement });
  metrics.watchPool(server.db.countConnections);
  shown = await serveMetrics(metrics, 0, "127.0.0.1");
});
afterAll(async () => {
  await shown.close();
  await server.close();
});

async function read(): Promise<string> {
  return (await fetch(shown.url)).text();
}

test("requests are counted by operation and status, statements by name, and the pool shown", async () => {
  await call(server.url, "GET", "/v1/users/nobody");
  await call(server.url, "GET", "/v1/nowhere");
  const text = await read();
  expect(text).toContain(
    'madang_request_duration_seconds_count{operation="users.get",method="GET",status="404"} 1',
  );
  expect(text).toContain(
    'madang_request_duration_seconds_count{operation="none",method="GET",status="404"} 1',
  );
  expect(text).toContain('madang_statement_duration_seconds_count{statement="users.find"} 1');
  expect(text).toMatch(/madang_pool_connections\{state="open"\} [1-9]/);
  expect(text).toContain("nodejs_eventloop_lag_seconds");
  expect(text).toContain("process_resident_memory_bytes");
});

test("the public port does not show them, and theirs shows nothing else", async () => {
  expect((await call(server.url, "GET", "/metrics")).status).toBe(404);
  expect((await fetch(new URL("/v1/users", shown.url))).status).toBe(404);
});

test("nobody can make new series by inventing paths or methods", async () => {
  await Promise.all(
    Array.from({ length: 50 }, (_, index) => call(server.url, "GET", `/v1/made_up_${index}`)),
  );
  await call(server.url, "PROPFIND", "/v1/users");
  const text = await read();
  expect(text).not.toContain("made_up");
  expect(text).not.toContain("PROPFIND");
});
