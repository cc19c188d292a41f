import { afterAll, beforeEach, expect, test } from "vitest";
import { run } from "../src/run";
import { createIo, runInMemory } from "./support/memory-io";
import { startRecordingServer } from "./support/recording-server";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
const common = { channel_id: "room_1", user, meta: {}, created_at: 1_700_000_000_000, updated_at: 1 };
const text = { ...common, message_id: "1-1", type: "text", content: "점심은 NOON\u001b[31m" };
const file = {
  ...common,
  message_id: "1-2",
  type: "file",
  file: { type: "image/png", name: "noon menu.png", url: "https://example.com/menu.png", size: 1 },
};
let messages: object[] = [];
const server = await startRecordingServer(() => ({ status: 200, body: { messages } }));
const env = { MADANG_URL: server.url, MADANG_API_KEY: "sk_only-for-tests-0123456789" };
const search = (...args: readonly string[]) => runInMemory(["search", ...args], { env });

beforeEach(() => {
  server.requests.splice(0);
  messages = [text, file];
});
afterAll(() => server.close());

test.each([
  [["--channel", "room_1"], "/v1/group/channels/room_1/messages/search", {}],
  [
    ["--channel", "room_1", "--sender", "kim_01"],
    "/v1/group/channels/room_1/messages/search",
    { user_id: "kim_01" },
  ],
  [["--user", "kim_01"], "/v1/users/kim_01/messages/search", {}],
  [[], "/v1/messages/search", {}],
  [["--sender", "kim_01"], "/v1/messages/search", { user_id: "kim_01" }],
])("search %j asks %s", async (options, path, query) => {
  const { exitCode, stdout } = await search("noon", "menu", ...options);
  expect(exitCode).toBe(0);
  expect(server.requests).toMatchObject([
    { method: "GET", path, query: { q: "noon menu", limit: "100", ...query } },
  ]);
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual(messages);
});

test("--limit ends the search", async () => {
  const { stdout } = await search("noon", "--limit", "1");
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
});

test("on a terminal, a message is a line with the terms marked, and nothing in it moves the cursor", async () => {
  messages = [text, { ...file, channel_id: "\u001b[31m\u202e" }];
  const { io, stdout } = createIo({ env });
  const terminal = Object.assign(io.stdout, { isTTY: true });
  expect(await run(["search", "noon", "점심"], { ...io, stdout: terminal })).toBe(0);
  const [yellow, bold, dim, end] = ["\u001b[33m", "\u001b[1m", "\u001b[2m", "\u001b[22m"];
  const startIn = (channel: string) => `${channel}  ${dim}2023-11-14 22:13:20${end}  ${bold}kim_01${end}  `;
  expect(stdout()).toBe(
    `${startIn("room_1")}${yellow}점심\u001b[39m은 ${yellow}NOON\u001b[39m\\u001b[31m\n${startIn("\\u001b[31m\\u202e")}${yellow}noon\u001b[39m menu.png\n`,
  );
});

test("with --json, lines of JSON are printed on a terminal, too", async () => {
  const { io, stdout } = createIo({ env });
  const terminal = Object.assign(io.stdout, { isTTY: true });
  expect(await run(["search", "noon", "--json"], { ...io, stdout: terminal })).toBe(0);
  expect(JSON.parse(stdout().split("\n")[0] ?? "")).toEqual(text);
});

test("without a result, it says so and succeeds", async () => {
  messages = [];
  expect(await search("noon")).toEqual({ exitCode: 0, stdout: "", stderr: "There are none.\n" });
});

test.each([["--channel"], ["--sender"]])("--user and %s exclude each other", async (option) => {
  const { exitCode, stderr } = await search("noon", "--user", "kim_01", option, "room_1");
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("cannot be used together")]);
  expect(server.requests).toEqual([]);
});
