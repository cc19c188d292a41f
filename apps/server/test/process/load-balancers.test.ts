import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient, type RetryEvent } from "@madang/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServerProcess, superviseProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { hasHaproxy, hasNginx, type LoadBalancer, startHaproxy, startNginx } from "../support/load-balancers";
import { startPostgresProxy } from "../support/postgres-proxy";
import { masterKey } from "../support/server";

/** Longer than the load balancers take to remove a server. */
const outageMs = 5_000;

describe.each([
  ["nginx", hasNginx, startNginx],
  ["HAProxy", hasHaproxy, startHaproxy],
] as const)("behind %s with the configuration of the deploying guide", (_, isInstalled, start) => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let postgres: Awaited<ReturnType<typeof startPostgresProxy>>;
  let servers: ServerProcess[];
  let balancer: LoadBalancer;
  beforeAll(async () => {
    if (!isInstalled) return;
    database = await createDatabase();
    postgres = await startPostgresProxy(database.url);
    const settings = { MADANG_SHUTDOWN_DELAY_MS: "4000" };
    servers = await Promise.all([0, 1].map(() => superviseProcess(postgres.url, settings)));
    balancer = await start(servers.map(({ url }) => Number(new URL(url).port)));
  });
  afterAll(async () => {
    if (!isInstalled) return;
    await balancer.stop();
    await Promise.all(servers.map((server) => server.end("SIGTERM")));
    await postgres.proxy.close();
    await database.drop();
  });

  test.skipIf(!isInstalled)(
    "while PostgreSQL fails over, requests get the server's own 503, and the SDK retries until it is back",
    async () => {
      const baseUrl = `http://127.0.0.1:${balancer.port}`;
      const retries: RetryEvent[] = [];
      const chat = new ChatClient({ baseUrl, apiKey: masterKey, onRetry: (event) => retries.push(event) });
      await chat.users.create({ user_id: "kim_01", name: "Kim" });

      postgres.proxy.set({ onRequest: (_bytes, link) => void link.cut() });
      const endsAt = performance.now() + outageMs;
      const read = async () => {
        const response = await fetch(`${baseUrl}/v1/users`, {
          headers: { Authorization: `Bearer ${masterKey}` },
        });
        const { code } = JSON.parse(await response.text());
        return [response.status, code, response.headers.get("Retry-After")];
      };
      await expect.poll(async () => (await read())[0]).toBe(503);
      while (performance.now() < endsAt) {
        expect(await read()).toEqual([503, "unavailable", "1"]);
        await sleep(100);
      }
      const sent = chat.users.create({ user_id: "lee_01", name: "Lee" });
      await expect.poll(() => retries.length).toBeGreaterThan(0);
      postgres.proxy.set({});
      expect((await sent).user_id).toBe("lee_01");
    },
  );

  test.skipIf(!isInstalled)("while a process stops, no request fails", async () => {
    const chat = new ChatClient({
      baseUrl: `http://127.0.0.1:${balancer.port}`,
      apiKey: masterKey,
      maxRetries: 0,
      maxDowntimeMs: 0,
    });
    let isStopped = false;
    const stopped = servers[0]?.end("SIGTERM").finally(() => {
      isStopped = true;
    });
    while (!isStopped) await chat.users.get("kim_01");
    expect(await stopped).toBe(0);
    for (let count = 0; count < 20; count++) await chat.users.get("kim_01");
  });
});
