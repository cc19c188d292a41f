import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { runInMemory } from "./support/memory-io";
import { startRecordingServer } from "./support/recording-server";

const folder = createFolder();
const user = { user_id: "kim_01", name: "kim_01", meta: {}, created_at: 1, updated_at: 1 };
/** The sender of the messages is in no file of users: the command looks for it, and creates it. */
const aboutUser = [
  { status: 200, body: [] },
  { status: 201, body: user },
];
const server = await startRecordingServer(
  () => aboutUser.shift() ?? { status: 200, body: { imported: 0, skipped: 0 } },
);
afterAll(server.close);

test("messages of thousands of channels in one file are sent before they fill the memory", async () => {
  const channels = 2_000;
  // 33 MB: twice what is held back.
  const rows = Array.from({ length: 8_000 }, (_, index) => ({
    channel_id: `room_${index % channels}`,
    external_id: String(index),
    user_id: user.user_id,
    content: "x".repeat(4_000),
    created_at: 1_600_000_000_000 + index,
  }));
  writeFileSync(join(folder, "messages.ndjson"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const env = { MADANG_URL: server.url, MADANG_API_KEY: "mk_only-for-tests-0123456789" };
  expect((await runInMemory(["import", folder], { env })).exitCode).toBe(0);
  const sent = new Map<string, number[]>();
  const [, , ...batches] = server.requests;
  for (const { path, body } of batches) {
    const numbers = Object(body).messages.map((each: { external_id: string }) => Number(each.external_id));
    sent.set(path, [...(sent.get(path) ?? []), ...numbers]);
  }
  const numbers = [...sent.values()];
  expect(numbers.flat()).toHaveLength(rows.length);
  for (const each of numbers) expect(each).toEqual(each.toSorted((one, other) => one - other));
  // Held back until the end, each channel would be one request of four messages.
  expect(batches.length).toBeGreaterThan(channels);
});
