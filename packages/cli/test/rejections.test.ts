import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { type Reply, startRecordingServer } from "./support/recording-server";

const folder = createFolder();
let replies: Reply[] = [];
const server = await startRecordingServer(
  (path) =>
    replies.shift() ?? { status: 200, body: path.includes("/imports/") ? { imported: 0, skipped: 0 } : [] },
);
const env = { MADANG_URL: server.url, MADANG_API_KEY: "mk_only-for-tests-0123456789" };
beforeEach(() => {
  replies = [];
  server.requests.splice(0);
});
afterAll(server.close);

const problem = (status: number, code: string, path?: string): Reply => ({
  status,
  body: {
    status,
    code,
    detail: "It is so.",
    errors: path === undefined ? [] : [{ in: "body", path, message: "No." }],
  },
});

/** The sender of the messages below is in no file of users. */
const created: Reply = {
  status: 201,
  body: { user_id: "kim_01", name: "kim_01", meta: {}, created_at: 1, updated_at: 1 },
};

/** The list of those that exist already. */
const none: Reply = { status: 200, body: [] };

const message = (index: number, channel_id = "room_1") => ({
  ...{ channel_id, external_id: String(index), user_id: "kim_01", content: "x".repeat(4_000) },
  created_at: 1_600_000_000_000 + index,
});

let count = 0;
function write(name: string, rows: readonly object[]): string {
  const dir = join(folder, String(++count));
  mkdirSync(dir);
  writeFileSync(join(dir, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return dir;
}

test.each([
  ["users.ndjson", [{ user_id: "kim_01", name: "Kim" }], [none, problem(400, "invalid_request")], ":1: "],
  [
    "channels.ndjson",
    [{ channel_id: "room_1", name: "Lunch" }],
    [{ status: 200, body: { channels: [] } }, problem(400, "invalid_request")],
    ":1 (channel room_1): ",
  ],
  [
    "members.ndjson",
    [{ channel_id: "room_1", user_id: "kim_01" }],
    [{ status: 200, body: [] }, problem(404, "user_not_found")],
    ":1 (channel room_1): ",
  ],
  [
    "messages.ndjson",
    [message(0), message(1, "room_2"), message(2)],
    [none, created, problem(400, "invalid_request", "messages.1.meta")],
    ":3 (channel room_1): ",
  ],
  [
    "messages.ndjson",
    [message(0), message(1)],
    [none, created, problem(413, "body_too_large")],
    ":1 (channel room_1): ",
  ],
])(
  "a rejection of the server names the file, the line and the channel: %s",
  async (name, rows, given, where) => {
    replies = [...given];
    const { exitCode, stderr } = await runInMemory(["import", write(name, rows)], { env });
    expect(exitCode).not.toBe(0);
    expect(stderr).toBe(`error: ${name}${where}the server rejects it: It is so.\n`);
  },
);
