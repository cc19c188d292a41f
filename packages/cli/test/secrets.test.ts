import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { operations } from "../src/generated/operations";
import { createFolder } from "./support/folder";
import { startRecordingServer } from "./support/recording-server";

const program = join(import.meta.dirname, "../dist/main.js");
const key = "mk_only-for-tests-0123456789";
const subKey = "sk_leaked-for-tests-0123456789";
const folder = createFolder();
const server = await startRecordingServer(() => ({
  status: 500,
  body: { code: "internal", status: 500, detail: "It broke." },
}));
afterAll(server.close);

const own = { PATH: process.env.PATH, HOME: folder };
const withKey = { ...own, MADANG_URL: server.url, MADANG_API_KEY: key };

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<{ code: number | null; output: string }>;
}

function start(args: readonly string[], env: NodeJS.ProcessEnv, input?: string): Started {
  const child = spawn(process.execPath, [program, ...args], { env });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(input);
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output: Buffer.concat(chunks).toString("utf8") })),
  );
  return { child, ended };
}

describe.each([
  ["the server fails", server.url, 1],
  ["nothing listens", "http://127.0.0.1:1", 1],
  ["the address is invalid", "ftp://user:pass@example.com", 2],
])("when %s", (_, url, exitCode) => {
  test("no key is in the output, not even with --debug", async () => {
    const { code, output } = await start(
      ["keys", "delete", "--yes", "--debug"],
      { ...withKey, MADANG_URL: url },
      subKey,
    ).ended;
    expect(code).toBe(exitCode);
    expect(output).toContain("error:");
    for (const secret of [key, subKey]) expect(output).not.toContain(secret);
  });
});

test("a key with characters that cannot be sent is not repeated", async () => {
  const { output } = await start(["users", "list"], {
    ...withKey,
    MADANG_API_KEY: `${key}\u0000한글`.replace("\u0000", " "),
  }).ended;
  expect(output).toContain("error:");
  expect(output).not.toContain(key);
});

test.skipIf(!existsSync("/proc/self/cmdline"))("no key is among the arguments that ps shows", async () => {
  const { child, ended } = start(["login", "--url", server.url], own, key);
  let shown = "";
  // Empty until the system has started the program.
  while (shown === "" && child.exitCode === null) {
    await setImmediate();
    shown = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
  }
  expect(shown).toContain("login");
  expect(shown).not.toContain(key);
  await ended;
});

test("no operation takes a key as an argument or an option", () => {
  const secrets = operations.flatMap(({ id, body }) =>
    body.filter(({ name }) => /^(key|secret)$/.test(name)).map((field) => ({ id, ...field })),
  );
  expect(secrets.length).toBeGreaterThan(0);
  for (const { id, secret } of secrets) expect(secret, id).toBe(true);
});
