import { execFileSync } from "node:child_process";
import { ChatClient } from "@madang/client";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { program } from "../support/program";
import { startReceiver } from "../support/receiver";
import { masterKey } from "../support/server";

const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };

// The command of docs/backup.md.
test("a restored copy delivers nothing to the webhooks of the original until an operator confirms it", async () => {
  const original = await createDatabase();
  onTestFinished(original.drop);
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  const first = await startProcess(original.url, settings);
  const chat = new ChatClient({ baseUrl: first.url, apiKey: masterKey });
  await chat.webhooks.create({ url: receiver.url });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
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
  await new ChatClient({ baseUrl: copy.url, apiKey: masterKey }).users.create({
    user_id: "lee_02",
    name: "Lee",
  });
  const run = (action: string) =>
    execFileSync(process.execPath, [program, "webhooks", action], { env: { DATABASE_URL: url } });
  // Longer than the time within which a delivery would begin.
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  expect(receiver.deliveries).toHaveLength(1);
  run("resume");
  await expect.poll(() => receiver.deliveries.length).toBe(2);
  run("pause");
  await expect.poll(() => copy.output().split("webhooks are paused").length).toBe(3);
  await copy.end("SIGTERM");
});
