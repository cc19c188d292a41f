import { createServer } from "node:http";
import { afterAll, beforeEach, expect, test } from "vitest";
import { version } from "../package.json";
import { listen } from "./support/listen";
import { runInMemory } from "./support/memory-io";

const healthy = { status: 200, body: '{"kind":"master"}', date: 0, version, delayMs: 0 };
let behaviour = healthy;
const server = createServer((request, response) => {
  const { status, date, delayMs, ...sent } = behaviour;
  const isList = request.url?.startsWith("/v1/users");
  setTimeout(() => {
    response.writeHead(status, {
      "content-type": status < 400 || isList ? "application/json" : "application/problem+json",
      date: new Date(Date.now() + date).toUTCString(),
      "madang-version": sent.version,
    });
    response.end(isList ? '{"users":[]}' : sent.body);
  }, delayMs);
});
const { url, close } = await listen(server);
const key = "mk_only-for-tests-0123456789";

beforeEach(() => {
  behaviour = healthy;
});
afterAll(close);

async function examine(address = url) {
  const env = { MADANG_URL: address, MADANG_API_KEY: key };
  const { exitCode, stdout } = await runInMemory(["doctor", "--json"], { env });
  expect(stdout).not.toContain(key);
  const checks = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const failed = checks.filter(({ ok }) => !ok).map(({ check }) => check);
  // What fails says what to do.
  for (const { ok, advice } of checks) expect(advice === undefined).toBe(ok);
  return { exitCode, failed, checks };
}

const problem = (code: string) => JSON.stringify({ status: 403, code, detail: "Not with this key." });

test("a server in order passes every check", async () => {
  const { exitCode, failed, checks } = await examine();
  expect({ exitCode, failed }).toEqual({ exitCode: 0, failed: [] });
  expect(checks.map(({ check }) => check)).toEqual(["server", "key", "version", "clock", "latency"]);
});

test("a sub key passes the check of the key, which says what it is", async () => {
  behaviour = { ...healthy, body: '{"kind":"sub"}' };
  const { checks } = await examine();
  expect(checks[1]).toMatchObject({ check: "key", detail: "sub key", ok: true });
});

test("the check of the server fails if nothing listens at the address", async () => {
  expect(await examine("http://127.0.0.1:1")).toMatchObject({ exitCode: 1, failed: ["server"] });
});

test("the check of the server fails if something else listens at the address", async () => {
  behaviour = { ...healthy, body: "<html>" };
  expect(await examine()).toMatchObject({ exitCode: 1, failed: ["server"] });
});

test("the check of the server fails if it responds with an error, or is another one", async () => {
  behaviour = { ...healthy, status: 503, body: problem("unavailable") };
  expect(await examine()).toMatchObject({ exitCode: 1, failed: ["server"] });
  behaviour = { ...healthy, status: 404, body: problem("no_such_page") };
  const { exitCode, failed, checks } = await examine();
  expect({ exitCode, failed }).toEqual({ exitCode: 1, failed: ["server"] });
  // A profile would not change the address of the environment.
  expect(checks[0].advice).toContain("set MADANG_URL");
});

test("the check of the key fails if it is not valid, with exit code 3", async () => {
  behaviour = { ...healthy, status: 401, body: problem("unauthenticated") };
  const { exitCode, failed, checks } = await examine();
  expect({ exitCode, failed }).toEqual({ exitCode: 3, failed: ["key"] });
  expect(checks[1].advice).toContain("set MADANG_API_KEY");
});

test("the check of the clock fails if the clocks are an hour apart", async () => {
  behaviour = { ...healthy, date: -3_600_000 };
  expect(await examine()).toMatchObject({ exitCode: 1, failed: ["clock"] });
});

test("the check of the version fails if the server has another major or minor version", async () => {
  behaviour = { ...healthy, version: "9.1.0" };
  expect(await examine()).toMatchObject({ exitCode: 1, failed: ["version"] });
});

test("the check of the latency fails if a response takes 600 ms", async () => {
  behaviour = { ...healthy, delayMs: 600 };
  expect(await examine()).toMatchObject({ failed: ["latency"] });
});
