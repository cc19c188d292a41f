import { execFileSync } from "node:child_process";
import { ChatClient } from "@madang/client";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { program } from "../support/program";
import { startPushReceiver } from "../support/push-receiver";
import { startReceiver } from "../support/receiver";
import { masterKey } from "../support/server";

const settings = {
  MADANG_WEBHOOK_ALLOW: "127.0.0.0/8",
  MADANG_PUSH_CONTACT: "mailto:operator@example.com",
  MADANG_PUSH_DELAY_MS: "0",
};

// The command of docs/backup.md.
test("a restored copy delivers nothing to the webhooks and devices of the original until an operator confirms it", async () => {
  const original = await createDatabase();
  onTestFinished(original.drop);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const first = await startProcess(original.url, settings);
  const chat = new ChatClient({ baseUrl: first.url, apiKey: masterKey });
  const phone = await startPushReceiver();
  onTestFinished(phone.close);
  for (const user_id of ["kim_01", "park_01"]) await chat.users.create({ user_id, name: "Name" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_01"] });
  await chat.users.devices.register("park_01", "phone", phone.subscribe().device);
  const message = { user_id: "kim_01", type: "text" } as const;
  await chat.messages.send("room_1", { ...message, content: "Original" });
  const pushed = () => phone.pushes.map(({ payload }) => payload.body);
  await expect.poll(pushed).toEqual(["Original"]);
  await chat.webhooks.create({ url: receiver.url, types: ["user.created"] });
  await chat.users.create({ user_id: "choi_01", name: "Choi" });
  await expect.poll(() => receiver.deliveries.length).toBe(1);
  await first.end("SIGTERM");

  const name = new URL(original.url).pathname.slice(1);
  const administrator = new pg.Client({
    connectionString: Object.assign(new URL(original.url), { pathname: "/postgres" }).href,
  });
  await administrator.connect();
  await administrator.query(`CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
  onTestFinished(async () => {
    await administrator.query(`DROP DATABASE ${name}_copy WITH (FORCE)`);
    await administrator.end();
  });
  const url = Object.assign(new URL(original.url), { pathname: `/${name}_copy` }).href;
  const copy = await startProcess(url, settings);
  await expect.poll(() => copy.output()).toContain("webhooks are paused");
  const there = new ChatClient({ baseUrl: copy.url, apiKey: masterKey });
  await there.users.create({ user_id: "lee_02", name: "Lee" });
  await there.messages.send("room_1", { ...message, content: "Copy" });
  const run = (action: string) =>
    execFileSync(process.execPath, [program, "webhooks", action], { env: { DATABASE_URL: url } });
  // Longer than the time within which a delivery or a push would begin.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(receiver.deliveries).toHaveLength(1);
  expect(pushed()).toEqual(["Original"]);
  run("resume");
  await expect.poll(() => receiver.deliveries.length).toBe(2);
  await expect.poll(pushed).toEqual(["Original", "Copy"]);
  run("pause");
  await expect.poll(() => copy.output().split("webhooks are paused").length).toBe(3);
  await copy.end("SIGTERM");
});
