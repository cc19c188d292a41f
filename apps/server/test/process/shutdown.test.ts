import { createConnection } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { masterKey } from "../support/server";

const database = await createDatabase();
afterAll(database.drop);

test.each([
  ["one process", []],
  ["two workers", ["--workers", "2"]],
])(
  "%s: after SIGTERM a server with a shutdown delay is not ready, and serves new connections",
  async (_, options) => {
    const server = await startProcess(database.url, { MADANG_SHUTDOWN_DELAY_MS: "15000" }, options);
    // Each on a new connection.
    const get = async (path: string) => {
      const headers = { Authorization: `Bearer ${masterKey}`, Connection: "close" };
      return (await fetch(server.url + path, { headers })).status;
    };
    expect(await get("/readyz")).toBe(200);
    const ended = server.end("SIGTERM");
    await expect.poll(() => get("/readyz"), { timeout: 15_000, interval: 20 }).toBe(503);
    for (let count = 0; count < 3; count++) {
      expect(await get("/readyz")).toBe(503);
      expect(await get("/v1/users")).toBe(200);
      expect(await get("/healthz")).toBe(200);
    }
    expect(await ended).toBe(0);
    const { hostname, port } = new URL(server.url);
    const connected = new Promise((resolve) =>
      createConnection(Number(port), hostname).once("error", resolve),
    );
    expect(await connected).toMatchObject({ code: "ECONNREFUSED" });
  },
);
