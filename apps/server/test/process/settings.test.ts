import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../faults/process";
import { call } from "../support/call";
import { createDatabase } from "../support/database";

let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  server = await startProcess(database.url, {
    MADANG_POOL_SIZE: "3",
    MADANG_STATEMENT_TIMEOUT_MS: "60000",
    MADANG_METRICS_PORT: "0",
    MADANG_METRICS_HOST: "127.0.0.2",
    LOG_LEVEL: "info",
  });
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await call(server.url, "POST", "/v1/users", { body: { user_id: "kim_01", name: "Kim" } });
});
afterAll(async () => {
  await client.end();
  await server.end("SIGTERM");
  await database.drop();
});

test("MADANG_POOL_SIZE limits the database connections, and more requests wait for one", async () => {
  const get = async (index: number) => {
    for (;;) {
      const startedAt = performance.now();
      const { status } = await call(server.url, "GET", `/v1/users?limit=${5 + (index % 20)}`);
      if (status === 200) return;
      // On a busy machine, some wait for a connection longer than the default allows.
      expect([status, performance.now() - startedAt > 950]).toEqual([503, true]);
    }
  };
  await Promise.all(Array.from({ length: 40 }, (_, index) => get(index)));
  const { rows } = await client.query<{ open: string }>(
    "SELECT count(*) AS open FROM pg_stat_activity WHERE application_name = 'madang' AND datname = current_database()",
  );
  expect(Number(rows[0]?.open)).toBeLessThanOrEqual(3);
});

test("MADANG_STATEMENT_TIMEOUT_MS limits a statement: with one minute, requests survive a lock of twenty seconds", async () => {
  await client.query("BEGIN");
  await client.query("SELECT 1 FROM users WHERE user_id = 'kim_01' FOR UPDATE");
  await client.query("LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
  const waiting = [
    call(server.url, "PUT", "/v1/users/kim_01", { body: { name: "Kim" } }),
    call(server.url, "GET", "/v1/events?wait=1"),
  ];
  await sleep(20_000);
  await client.query("COMMIT");
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
});

test.runIf(process.platform === "linux")("MADANG_METRICS_HOST is the address of the metrics", async () => {
  const [url] = /http:\/\/127\.0\.0\.2:\d+\/metrics/.exec(server.output()) ?? [];
  expect((await fetch(url ?? "")).status).toBe(200);
});
