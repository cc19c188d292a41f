import { afterAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";
import { startRecordingServer } from "./support/recording-server";

const user = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
const nothing = {
  memberships: [],
  messages: [],
  reactions: [],
  mentions: [],
  mutes: [],
  bans: [],
  reports: [],
  files: [],
  devices: [],
  blocks: [],
};
const inRoom = { channel_id: "room_1", message_id: "1-1" };
const pages = [
  {
    ...nothing,
    user,
    memberships: [{ channel_id: "room_1", role: "participant", joined_at: 1 }],
    messages: [{ ...inRoom, user, type: "text", content: "Noon?", meta: {}, created_at: 1, updated_at: 1 }],
    reactions: [{ ...inRoom, reaction: "👍", created_at: 1 }],
    mentions: [inRoom],
  },
  {
    ...nothing,
    user: { ...user, deleted_at: 2 },
    mutes: [{ channel_id: "room_1" }],
    bans: [{ channel_id: "room_1", reason: "Advertising", created_at: 1 }],
    reports: [
      {
        report_id: "rep_1",
        channel_id: "room_1",
        reason: "Noise",
        status: "open",
        created_at: 1,
        updated_at: 1,
      },
    ],
    files: [
      {
        channel_id: "room_1",
        file_id: "file_1",
        name: "menu.png",
        type: "image/png",
        size: 5,
        status: "ready",
        created_at: 1,
      },
    ],
    devices: [{ device_id: "phone", provider: "fcm", created_at: 1, updated_at: 1 }],
    blocks: [{ user_id: "park_03", created_at: 1 }],
  },
];
let count = 0;
const server = await startRecordingServer(() => {
  const next = ++count < pages.length ? { next: "second" } : {};
  return { status: 200, body: { ...pages[count - 1], ...next } };
});
afterAll(() => server.close());

test("export-person prints every list of every page", async () => {
  const env = { MADANG_URL: server.url, MADANG_API_KEY: "sk_only-for-tests-0123456789" };
  const { exitCode, stdout } = await runInMemory(["export-person", "kim_01"], { env });
  expect(exitCode).toBe(0);
  expect(server.requests).toMatchObject([
    { method: "GET", path: "/v1/privacy/users/kim_01", query: { limit: "1000" } },
    { method: "GET", path: "/v1/privacy/users/kim_01", query: { next: "second" } },
  ]);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(pages);
});
