import { readdirSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runProgram } from "./support/run-program";
import { startTestServer } from "./support/server";

const folder = createFolder();
const server = await startTestServer();
const { env, chat } = server;
const empty = await startTestServer();
beforeAll(async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content: "점심 먹을까요?" });
});

test("a channel that is named twice is exported once", async () => {
  const out = join(folder, "twice");
  const exported = await runProgram(["export", "lunch_01", "lunch_01", "--out", out, "--json"], env).ended;
  expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
  expect(JSON.parse(exported.stdout)).toMatchObject({ channels: 1, members: 1, messages: 1 });
  const verified = await runProgram(["verify", out, "--json"], env).ended;
  expect(JSON.parse(verified.stdout)).toMatchObject({ files: 6, damaged: 0, different: 0 });
});

test("with --files, a server without files, or without channels, is exported", async () => {
  for (const [index, { env: own }] of [server, empty].entries()) {
    const out = join(folder, String(index));
    const exported = await runProgram(["export", "--all", "--files", "--out", out, "--json"], own).ended;
    expect(exported).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(exported.stdout)).toMatchObject({ files: 0 });
    const verified = await runProgram(["verify", out, "--json"], own).ended;
    expect(JSON.parse(verified.stdout)).toMatchObject({ attachments: 0, damaged: 0, different: 0 });
  }
});

/** A server in front of the other one, which the other one does not know; or one that sends more bytes than a file has. */
async function startFront({ isHostile }: { isHostile: boolean }): Promise<string> {
  const { host } = new URL(server.url);
  const front = createServer((incoming, response) => {
    if (isHostile && incoming.url?.includes("/content")) return void response.end("x".repeat(300_000));
    const headers = isHostile ? incoming.headers : { ...incoming.headers, host };
    const forwarded = request(server.url + incoming.url, { method: incoming.method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 500, received.headers);
      received.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  afterAll(() => front.close());
  return `http://127.0.0.1:${Object(front.address()).port}`;
}

test("files are fetched only from the server and where the command says, and no more of one than its size", async () => {
  await chat.channels.create({ channel_id: "menu_01", name: "Menu", members: ["kim_01"] });
  const message = { user_id: "kim_01", type: "text", content: "Menu" } as const;
  await chat.messages.send("menu_01", message, { files: [{ file: Buffer.from("Stew!"), name: "menu.txt" }] });
  const exportBy = (url: string, out: string, ...options: string[]) =>
    runProgram(["export", "menu_01", "--files", "--out", join(folder, out), ...options], {
      ...env,
      MADANG_URL: url,
    }).ended;
  const front = await startFront({ isHostile: false });
  const rejected = await exportBy(front, "front");
  expect(rejected.exitCode).not.toBe(0);
  expect(rejected.stderr).toContain(`--files-from ${server.url}`);
  expect(readdirSync(join(folder, "front", "files"))).toEqual([]);
  expect(await exportBy(front, "front", "--files-from", server.url)).toMatchObject({ exitCode: 0 });

  const flooded = await exportBy(await startFront({ isHostile: true }), "flood");
  expect(flooded.stderr).toContain("has another size than its message says");
  expect(readdirSync(join(folder, "flood", "files"))).toEqual([]);
});
