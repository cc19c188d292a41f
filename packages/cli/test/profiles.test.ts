import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { run } from "../src/run";
import { createFolder } from "./support/folder";
import { createIo, runInMemory } from "./support/memory-io";
import { startRecordingServer } from "./support/recording-server";

const key = "mk_only-for-tests-0123456789";
let status = 200;
let kind = "master";
const server = await startRecordingServer((requested) =>
  status === 200
    ? { status, body: requested.endsWith("/self") ? { kind } : [] }
    : { status, body: { status, code: "unauthenticated", detail: "The key is not valid." } },
);
const folder = createFolder();
const env = { XDG_CONFIG_HOME: join(folder, "config") };
const path = join(folder, "config/madang/profiles.json");
const login = (name: string) => runInMemory(["login", name, "--url", server.url], { env, input: `${key}\n` });
const lastKey = () => server.requests.at(-1)?.headers.authorization;

beforeEach(() => {
  status = 200;
  kind = "master";
  rmSync(join(folder, "config"), { recursive: true, force: true });
});
afterAll(server.close);

describe("login", () => {
  test("saves an address and a key that only the user can read, after testing them", async () => {
    const { exitCode, stderr, stdout } = await login("first");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
    expect(stderr).toMatch(/^Saved the profile first: a master key of http/);
    expect(lastKey()).toBe(`Bearer ${key}`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, "config/madang"))).toEqual(["profiles.json"]);
  });

  test("recognises a sub key", async () => {
    kind = "sub";
    expect((await login("first")).stderr).toContain("a sub key of");
  });

  test("saves nothing when the server rejects the key", async () => {
    status = 401;
    const { exitCode, stderr } = await login("first");
    expect(exitCode).toBe(3);
    expect(stderr).toContain("The key is not valid.");
    expect(existsSync(path)).toBe(false);
  });

  test("saves the profile of --profile, and says what takes precedence over it", async () => {
    const given = { ...env, MADANG_API_KEY: "mk_env" };
    const args = ["login", "--profile", "third", "--url", server.url];
    const { exitCode, stderr } = await runInMemory(args, { env: given, input: key });
    expect(exitCode).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(path, "utf8")).profiles)).toEqual(["third"]);
    expect(stderr).toContain(
      "the environment takes precedence over profiles. To use this one: unset MADANG_API_KEY\n",
    );
  });

  test.each(["http://127.0.0.1:1", "chat.example", "http://no-such-host.invalid"])(
    "reports that nothing responds at %s before it asks for the key",
    async (url) => {
      const { io, stderr } = createIo({ env, input: key });
      expect(await run(["login", "first", "--url", url], io)).not.toBe(0);
      expect(stderr()).toMatch(
        /^error: (?:No Madang server responds at http|The address of the server is not valid)/,
      );
      // Nobody has read the key.
      expect(await text(io.stdin)).toBe(key);
    },
  );

  test.each([
    [401, { message: "Log in first." }],
    [429, { message: "Slow down." }],
  ])("does not take another server that responds with %s for Madang", async (foreignStatus, body) => {
    const foreign = await startRecordingServer(() => ({ status: foreignStatus, body }));
    const { io, stderr } = createIo({ env, input: key });
    expect(await run(["login", "first", "--url", foreign.url], io)).toBe(1);
    await foreign.close();
    expect(stderr()).toMatch(/^error: No Madang server responds at http/);
    // Nobody has read the key.
    expect(await text(io.stdin)).toBe(key);
  });

  test("takes a server that rejects too many requests for Madang", async () => {
    let requests = 0;
    const busy = await startRecordingServer(() =>
      ++requests === 1
        ? { status: 429, body: { status: 429, code: "rate_limited" } }
        : { status: 200, body: { kind: "master" } },
    );
    const result = await runInMemory(["login", "first", "--url", busy.url], { env, input: key });
    await busy.close();
    expect(result).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("Saved the profile first") });
  });

  test("says how to pass the address without a terminal", async () => {
    const { exitCode, stderr } = await runInMemory(["login"], { env, input: key });
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("add --url.") });
  });

  test("does not take the key from an argument", async () => {
    expect((await runInMemory(["login", "first", "--key", key], { env })).exitCode).toBe(2);
    expect((await runInMemory(["login", "first", "--url", server.url, key], { env })).exitCode).toBe(2);
  });
});

describe("the connection of a command", () => {
  const list = (given: object, ...args: string[]) =>
    runInMemory(["keys", "list", ...args], { env: { ...env, ...given } });

  test("is the current profile, another one with --profile", async () => {
    await login("first");
    const other = "mk_another-key-for-tests-0123";
    const second = await runInMemory(["login", "second", "--url", server.url], { env, input: other });
    expect(second.stderr).toContain(
      "\nCommands still use the profile first. To use this one: madang profiles use second\n",
    );
    expect((await list({})).exitCode).toBe(0);
    expect(lastKey()).toBe(`Bearer ${key}`);
    await list({}, "--profile", "second");
    expect(lastKey()).toBe(`Bearer ${other}`);
    await runInMemory(["profiles", "use", "second"], { env });
    await list({});
    expect(lastKey()).toBe(`Bearer ${other}`);
  });

  test("is that of the environment before that of a profile", async () => {
    await login("first");
    expect((await list({ MADANG_URL: server.url, MADANG_API_KEY: "mk_env" })).exitCode).toBe(0);
    expect(lastKey()).toBe("Bearer mk_env");
    expect((await list({ MADANG_API_KEY: "mk_env_only" })).exitCode).toBe(0);
    expect(lastKey()).toBe("Bearer mk_env_only");
  });

  test("never sends the key of a profile to another address", async () => {
    await login("first");
    const sent = server.requests.length;
    const { exitCode, stderr } = await list({ MADANG_URL: `${server.url}/other` });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: "error: MADANG_URL is set and MADANG_API_KEY is not. Set both, or neither.\n",
    });
    expect(server.requests).toHaveLength(sent);
  });

  test("is missing: the command says how to get one", async () => {
    const { exitCode, stderr } = await list({});
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("madang login") });
  });
});

describe("profiles", () => {
  test("are listed without keys", async () => {
    await login("first");
    const { stdout } = await runInMemory(["profiles", "--json"], { env });
    expect(JSON.parse(stdout)).toEqual({ name: "first", url: server.url, current: true });
  });

  test("are deleted after a confirmation", async () => {
    await login("first");
    expect((await runInMemory(["profiles", "delete", "first"], { env })).exitCode).toBe(2);
    expect((await runInMemory(["profiles", "delete", "first", "--yes"], { env })).exitCode).toBe(0);
    expect(readFileSync(path, "utf8")).not.toContain(key);
  });

  test("are not read from a file that others can read, nor from a broken one", async () => {
    await login("first");
    chmodSync(path, 0o644);
    const open = await runInMemory(["profiles"], { env });
    expect(open).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`chmod 600 ${path}`) });
    chmodSync(path, 0o600);
    writeFileSync(path, `{"profiles": {"first": "${key}"`);
    const broken = await runInMemory(["profiles"], { env });
    expect(broken).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("madang login") });
    expect(broken.stderr).not.toContain(key);
  });
});
