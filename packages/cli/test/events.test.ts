import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { verifyHook, verifyWebhook } from "@madang/client/webhooks";
import { expect, onTestFinished, test } from "vitest";
import { createFolder } from "./support/folder";
import { startGate } from "./support/gate";
import { listen } from "./support/listen";
import { runInMemory } from "./support/memory-io";
import { startServerProcess, startTestServer } from "./support/server";

const program = join(import.meta.dirname, "../dist/main.js");
const folder = createFolder();
const server = await startTestServer();
const { chat } = server;

/** Starts the built command, which runs until it is interrupted. */
function start(args: readonly string[], url = server.url, masterKey = server.masterKey) {
  const env = { PATH: process.env.PATH, HOME: folder, MADANG_URL: url, MADANG_API_KEY: masterKey };
  const child: ChildProcess = spawn(process.execPath, [program, ...args], { env });
  const output = { stdout: "", stderr: "" };
  let changed = () => {};
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.setEncoding("utf8").on("data", (chunk: string) => {
      output[name] += chunk;
      changed();
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const until = (isReached: () => boolean) =>
    new Promise<void>((resolve, reject) => {
      changed = () => isReached() && resolve();
      changed();
      ended.then((code) => reject(new Error(`It ended with ${code}: ${output.stderr}`)));
    });
  const interrupt = () => {
    child.kill("SIGINT");
    return ended;
  };
  return { output, until, interrupt };
}

const typesIn = (text: string): string[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).type);

test.each([[["tail"]], [["listen", "--forward-to", "http://127.0.0.1:1"]]])(
  "%j of a channel that does not exist ends with an error",
  async (args) => {
    const env = { HOME: folder, MADANG_URL: server.url, MADANG_API_KEY: server.masterKey };
    const { exitCode, stderr } = await runInMemory([...args, "--channel", "nosuch"], { env });
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining("channel_not_found")]);
  },
);

test("tail prints events as they happen, and continues after its last cursor", async () => {
  const tail = start(["tail", "--types", "user.created,user.deleted", "--debug"]);
  // It follows from now on as soon as its first response has arrived.
  await tail.until(() => tail.output.stderr.includes(" 200 "));
  await chat.users.create({ user_id: "tail_01", name: "김" });
  await chat.users.update("tail_01", { name: "Kim" });
  await chat.users.delete("tail_01");
  await tail.until(() => tail.output.stdout.split("\n").length === 3);
  expect(await tail.interrupt()).toBe(130);
  expect(typesIn(tail.output.stdout)).toEqual(["user.created", "user.deleted"]);
  const [, cursor = ""] =
    /To continue: madang tail --after (\S+) --types user\.created,user\.deleted\n/.exec(tail.output.stderr) ??
    [];

  await chat.users.create({ user_id: "tail_02", name: "Kim" });
  const next = start(["tail", "--after", cursor]);
  await next.until(() => next.output.stdout.endsWith("\n"));
  expect(typesIn(next.output.stdout)).toEqual(["user.created"]);
  await next.interrupt();
});

test.each([
  [["tail", "--after", "bogus"], "The server does not know the cursor of --after. Copy it whole from"],
  [["listen", "--after", "bogus", "--forward-to", "http://127.0.0.1:1"], "the cursor of --after. Copy it"],
  [["tail", "--types", "bogus"], "Must be event types, separated by commas: user.created,"],
])("%j is rejected by the server, and not suggested again", async (args, message) => {
  const env = { HOME: folder, MADANG_URL: server.url, MADANG_API_KEY: server.masterKey };
  const { exitCode, stderr } = await runInMemory(args, { env });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("To continue");
});

test("tail continues after the server was away, and misses nothing", async () => {
  let streams = 0;
  // The first streams break, as while a server restarts.
  const gate = await startGate(server.url, (path) => !path.startsWith("/v1/events/stream") || ++streams > 4);
  const tail = start(["tail", "--types", "user.created"], gate.url);
  await tail.until(() => tail.output.stderr.includes("The server does not respond. Trying again…"));
  await chat.users.create({ user_id: "away_01", name: "Kim" });
  await tail.until(() => tail.output.stdout.endsWith("\n"));
  expect(tail.output.stderr).toContain("The server responds again.");
  expect(await tail.interrupt()).toBe(130);
  await gate.close();
});

test("listen forwards events in order, signed with a secret that stays the same", async () => {
  const env = { HOME: folder };
  const secret = (await runInMemory(["listen", "--print-secret"], { env })).stdout.trim();
  expect((await runInMemory(["listen", "--print-secret"], { env })).stdout.trim()).toBe(secret);
  expect(statSync(join(folder, ".config/madang/listen-secret")).mode & 0o777).toBe(0o600);

  const received: { type: string; name: unknown }[] = [];
  const receiver = createServer(async (request, response) => {
    const event = await verifyWebhook(secret, request.headers, await text(request));
    received.push({ type: event.type, name: "user" in event.data ? event.data.user?.name : undefined });
    response.writeHead(received.length === 1 ? 204 : 500).end();
  });
  const { url, close } = await listen(receiver);
  const to = ["--forward-to", `${url}/hooks`];
  const listening = start(["listen", ...to, "--types", "user.created,user.deleted", "--debug", "--json"]);
  await listening.until(() => listening.output.stderr.includes(" 200 "));
  await chat.users.create({ user_id: "listen_01", name: "김민준" });
  await chat.users.delete("listen_01");
  await listening.until(() => listening.output.stdout.split("\n").length === 3);
  expect(await listening.interrupt()).toBe(130);
  expect(received.map(({ type }) => type)).toEqual(["user.created", "user.deleted"]);
  const deliveries = listening.output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(deliveries).toMatchObject([
    { type: "user.created", status: 204 },
    { type: "user.deleted", status: 500 },
  ]);
  expect(listening.output.stderr + listening.output.stdout).not.toContain(secret);
  await close();
});

test("listen --hooks lets a program decide about messages until Ctrl-C, and leaves no hook behind", async () => {
  const allowing = await startServerProcess({ MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" }, onTestFinished);
  const { users, channels, messages, hooks } = allowing.chat;
  const secret = (await runInMemory(["listen", "--print-secret"], { env: { HOME: folder } })).stdout.trim();
  const receiver = createServer(async (request, response) => {
    const { content } = await verifyHook(secret, request.headers, await text(request));
    if (content === "bad") response.end(JSON.stringify({ action: "reject", reason: "Not here." }));
    else if (content === "long") response.end(JSON.stringify({ action: "replace", content: "short" }));
    else response.writeHead(500).end();
  });
  const { url, close } = await listen(receiver);
  await users.create({ user_id: "kim_01", name: "Kim" });
  await channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  const send = (content: string) => messages.send("room_1", { type: "text", user_id: "kim_01", content });

  const args = ["listen", "--hooks", "--forward-to", `${url}/check`, "--json"];
  const listening = start(args, allowing.url, allowing.masterKey);
  await listening.until(() => listening.output.stderr.includes("Calls of the hook"));
  const [hook] = (await hooks.list()).hooks;
  await expect(send("bad")).rejects.toMatchObject({ check: "hook", reason: "Not here." });
  expect(await send("long")).toMatchObject({ content: "short" });
  expect(await send("fails")).toMatchObject({ content: "fails" });
  // Not signed by the hook.
  expect((await fetch(hook?.url ?? "", { method: "POST", body: "{}" })).status).toBe(401);
  await listening.until(() => listening.output.stdout.split("\n").length === 4);
  const decisions = listening.output.stdout.trim().split("\n");
  expect(decisions.map((line) => JSON.parse(line))).toMatchObject([
    { operation: "messages.send", channel_id: "room_1", user_id: "kim_01", action: "reject", status: 200 },
    { action: "replace" },
    { status: 500 },
  ]);
  expect(decisions[2]).not.toContain("action");
  expect(await listening.interrupt()).toBe(130);
  expect((await hooks.list()).hooks).toEqual([]);
  expect(listening.output.stderr + listening.output.stdout).not.toContain("whsec_");
  await close();
});

test("listen --hooks says what to do if the server cannot or may not call this machine", async () => {
  const args = ["listen", "--hooks", "--forward-to", "http://127.0.0.1:1"];
  const run = (url: string) =>
    runInMemory(args, { env: { HOME: folder, MADANG_URL: url, MADANG_API_KEY: server.masterKey } });
  expect(await run(server.url)).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("start it with MADANG_WEBHOOK_ALLOW=127.0.0.0/8"),
  });
  expect(await run("https://chat.example.com")).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      "The server on chat.example.com cannot reach this machine. Open a tunnel",
    ),
  });
});

test.each([
  [["listen"], "--forward-to is required."],
  [["listen", "--hooks"], "--forward-to is required."],
  [["listen", "--hooks", "--types", "user.created"], "cannot be used with option '--types <names>'"],
  [["listen", "--port", "8080", "--forward-to", "http://127.0.0.1:1"], "are options of --hooks."],
  [["listen", "--hooks", "--port", "0"], "It must be a whole number from 1 to 65535."],
  [["listen", "--forward-to", "example.com"], "--forward-to must be an http or https URL"],
  [["listen", "--forward-to", "file:///etc/passwd"], "--forward-to must be an http or https URL"],
])("%j is a usage error", async (args, message) => {
  const { exitCode, stderr } = await runInMemory(args, { env: { HOME: folder } });
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
});
