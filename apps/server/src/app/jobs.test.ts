import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { masterKey, readMetrics, startServer } from "../../test/support/server";

test("a deletion is completed long before the next interval", async () => {
  const server = await startServer({ hasBackgroundTasks: true });
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  for (const user_id of ["kim_01", "lee_01"]) await chat.users.create({ user_id, name: user_id });
  for (const channel_id of ["room_1", "room_2"])
    await chat.channels.create({ channel_id, name: "Room", members: ["kim_01", "lee_01"] });
  const count = async () => [await server.db.prisma.member.count(), await server.db.prisma.channel.count()];
  expect(await count()).toEqual([4, 2]);
  await chat.users.delete("lee_01");
  await expect.poll(count).toEqual([2, 2]);
  await chat.channels.delete("room_2");
  await expect.poll(count).toEqual([1, 1]);
  await server.close();
});

test("a message can be read until it is erased, within five minutes of being due", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await startServer({ hasBackgroundTasks: true, settings: { MADANG_METRICS_PORT: "0" } });
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  // Its first step comes soon after the start, and must not find the message.
  await expect
    .poll(() => readMetrics(server))
    .toContain('madang_job_last_success_timestamp_seconds{name="erasing messages by age"}');
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01"] });
  await chat.channels.setRetention("room_1", { days: 30, hold: false });
  const read = async () => (await chat.messages.list("room_1").firstPage()).items.length;
  const created_at = Date.now() - 30 * 86_400_000 + 1_000;
  await chat.imports.messages("room_1", [{ user_id: "kim_01", type: "text", content: "old", created_at }]);
  await sleep(1_500);
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(300_000);
  await expect.poll(read).toBe(0);
  await server.close();
});
