import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { createDatabase } from "../support/database";

const program = new URL("../../dist/main.js", import.meta.url).pathname;
const masterKey = `mk_${randomBytes(24).toString("base64url")}`;
let server: ChildProcess | undefined;
afterEach(async () => {
  if (server?.exitCode === null) await stop(server);
});

async function start(databaseUrl: string, workers: string): Promise<string> {
  const env = { PATH: process.env.PATH, PORT: "0", DATABASE_URL: databaseUrl, MADANG_MASTER_KEY: masterKey };
  server = spawn(process.execPath, [program, "start", "--workers", workers], { env });
  let output = "";
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      const [url] = /http:\/\/127[\d.]+:\d+/.exec(output) ?? [];
      if (output.includes("Try it") && url !== undefined) resolve(url);
    };
    server?.stdout?.on("data", hear);
    server?.stderr?.on("data", hear);
    server?.once("exit", () => reject(new Error(output)));
  });
}

function stop(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  return ended;
}

const call = (url: string, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: {
      authorization: `Bearer ${masterKey}`,
      "content-type": "application/json",
      connection: "close",
    },
  });

function listWorkers(): number[] {
  const { pid } = server ?? {};
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

test.runIf(process.platform === "linux")(
  "several workers answer on one port, a dead one is replaced, and all end together",
  async () => {
    const database = await createDatabase();
    const url = await start(database.url, "2");
    const body = JSON.stringify({ user_id: "kim_01", name: "Kim" });
    expect((await call(url, "/v1/users", { method: "POST", body })).status).toBe(201);
    for (let count = 0; count < 20; count += 1)
      expect((await call(url, "/v1/users/kim_01")).status).toBe(200);

    const [first, second, ...others] = listWorkers();
    expect([typeof first, typeof second, others]).toEqual(["number", "number", []]);
    process.kill(first ?? 0, "SIGKILL");
    await expect.poll(() => listWorkers().filter((pid) => pid !== first), { timeout: 5_000 }).toHaveLength(2);
    for (let count = 0; count < 20; count += 1)
      expect((await call(url, "/v1/users/kim_01")).status).toBe(200);

    const workers = listWorkers();
    if (server !== undefined) expect(await stop(server)).toBe(0);
    for (const pid of workers) expect(() => process.kill(pid, 0)).toThrow();
    await database.drop();
  },
);

test.each(["0", "11", "two", "1.5"])("--workers %s is refused", async (workers) => {
  const child = spawn(process.execPath, [program, "start", "--workers", workers]);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code).toBe(2);
});
