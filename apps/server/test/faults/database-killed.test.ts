import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { expectWithinIfLong, report, rowOf, scale } from "../support/report";
import { type Cluster, startCluster } from "./cluster";
import { type Load, prepareLoad, startLoad } from "./load";
import { type ServerProcess, startProcess } from "./process";

const writers = 32;
let cluster: Cluster;
let server: ServerProcess;
let run = 0;
beforeAll(async () => {
  cluster = await startCluster();
  server = await startProcess(cluster.url);
  await prepareLoad(server.url);
});
afterAll(async () => {
  await server.end("SIGTERM");
  await cluster.close();
});

function load(): Load {
  return startLoad({ url: () => server.url, writers, run: `r${run++}` });
}

async function untilAcknowledged(running: Load, count: number): Promise<void> {
  const goal = running.acknowledged() + count;
  while (running.acknowledged() < goal) {
    server.requireAlive();
    await sleep(5);
  }
}

/** Ends the load and compares the acknowledged writes with the stored rows. */
async function stopAndCheck(fault: string, running: Load): Promise<void> {
  await running.stop();
  const check = await checkData(cluster.directUrl(), running);
  await report(rowOf(fault, writers, running, check));
  expect({ ...check, wrong: running.wrong }).toEqual({ lost: 0, duplicated: 0, violations: [], wrong: [] });
  // The max response time, whatever the database does.
  expectWithinIfLong(5_000, running.maxDurationMs);
}

test("killed backends lose and duplicate nothing, and clients get no error except 503", async () => {
  const running = load();
  const administrator = new pg.Client({ connectionString: cluster.directUrl() });
  await administrator.connect();
  for (let round = 0; round < scale(20, 200); round++) {
    await untilAcknowledged(running, 20);
    await administrator.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'madang' ORDER BY random() LIMIT 5",
    );
  }
  await administrator.end();
  await stopAndCheck("PostgreSQL's backend processes killed", running);
});

test("kill -9 of the whole cluster: 503 until it is back, recovery within a second, nothing lost", async () => {
  const running = load();
  for (let round = 0; round < scale(2, 10); round++) {
    await untilAcknowledged(running, 200);
    await cluster.kill();
    await sleep(300);
    await cluster.restart();
    const restartedAt = performance.now();
    await untilAcknowledged(running, 1);
    expectWithinIfLong(1_000, performance.now() - restartedAt);
  }
  await stopAndCheck("kill -9 of PostgreSQL", running);
});

test("while PostgreSQL is stopped, requests get 503 within five seconds, and succeed afterwards", async () => {
  const running = load();
  await untilAcknowledged(running, 200);
  await cluster.signal("SIGSTOP");
  await sleep(scale(4_500, 10_000));
  await cluster.signal("SIGCONT");
  const restartedAt = performance.now();
  await untilAcknowledged(running, 1);
  expectWithinIfLong(2_000, performance.now() - restartedAt);
  await stopAndCheck(
    `SIGSTOP of PostgreSQL; slowest response ${Math.round(running.maxDurationMs)} ms`,
    running,
  );
});

test("an unavailable database: 503 immediately, ready, healthy, constant memory, recovery within two seconds", async () => {
  const running = load();
  await untilAcknowledged(running, 200);
  const beforeMb = await server.residentMegabytes();
  await cluster.kill();
  await sleep(500);
  const outageMs = scale(1_500, 60_000);
  const startedAt = performance.now();
  let duringMb: number | undefined;
  while (performance.now() - startedAt < outageMs) {
    // The first errors increase the memory of the process, for about 30 seconds.
    if (performance.now() - startedAt > (2 * outageMs) / 3) duringMb ??= await server.residentMegabytes();
    const [health, ready, read] = await Promise.all(
      ["/healthz", "/readyz", "/v1/users"].map(async (path) => {
        const startedAt = performance.now();
        const { status, headers } = await call(server.url, "GET", path);
        return { status, retryAfter: headers.get("Retry-After"), tookMs: performance.now() - startedAt };
      }),
    );
    expect(health?.status).toBe(200);
    expect(ready?.status).toBe(200);
    expect(read).toMatchObject({ status: 503, retryAfter: "1" });
    expectWithinIfLong(1_000, read?.tookMs ?? Number.NaN);
    await sleep(100);
  }
  const afterMb = await server.residentMegabytes();
  expect(afterMb - beforeMb).toBeLessThan(150);
  expect(afterMb - (duringMb ?? Number.NaN)).toBeLessThan(scale(150, 16));
  await cluster.restart();
  const restartedAt = performance.now();
  await untilAcknowledged(running, 1);
  await expect.poll(async () => (await call(server.url, "GET", "/v1/users")).status).toBe(200);
  expectWithinIfLong(2_000, performance.now() - restartedAt);
  await stopAndCheck(`PostgreSQL down for ${outageMs / 1_000} s`, running);
});

test("an outage leaks no connections", async () => {
  const client = new pg.Client({ connectionString: cluster.directUrl() });
  await client.connect();
  // A background job may be at work for a moment.
  await expect
    .poll(async () => {
      const { rows } = await client.query<{ open: string; busy: string }>(
        `SELECT count(*) AS open, count(*) FILTER (WHERE state <> 'idle') AS busy
         FROM pg_stat_activity WHERE application_name = 'madang'`,
      );
      return { isWithinPool: Number(rows[0]?.open) <= 20, busy: Number(rows[0]?.busy) };
    })
    .toEqual({ isWithinPool: true, busy: 0 });
  await client.end();
});
