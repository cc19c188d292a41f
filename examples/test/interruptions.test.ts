import { once } from "node:events";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { expect, inject, onTestFinished, test } from "vitest";
import { ignoreExisting } from "../src/ignore-existing";
import { sendProblem, startProxy } from "./proxy";
import { run, runAt } from "./run";

const chat = new ChatClient({ baseUrl: inject("url"), apiKey: inject("masterKey") });

test("an export of a year that is killed continues: each message is in the file once, on a line of its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madang-export-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "year.ndjson");
  const [room, kim] = ["interrupted_room", "interrupted_kim"];
  await chat.users.create({ user_id: kim, name: "Kim" });
  await chat.channels.create({ channel_id: room, name: "Room", members: [kim] });
  const start = Date.parse("2001-02-01");
  for (let part = 0; part < 3; part += 1)
    await chat.imports.messages(
      room,
      Array.from({ length: 500 }, (_, index) => {
        const number = part * 500 + index;
        return { user_id: kim, type: "text", content: `message ${number}`, created_at: start + number };
      }),
    );

  let requests = 0;
  const proxy = await startProxy(({ url }) => url?.startsWith("/v1/exports/") === true && ++requests > 1);
  onTestFinished(() => proxy.close());
  const interrupted = runAt(proxy.url, "guides/export-year.ts", room, "2001", file);
  await once(interrupted.child.stdout ?? expect.fail(), "data");
  interrupted.child.kill("SIGKILL");
  await expect(interrupted).rejects.toMatchObject({ signal: "SIGKILL" });
  // What a kill in the middle of a write leaves.
  appendFileSync(file, '{"message_id":"');

  await run("guides/export-year.ts", room, "2001", file);
  const written = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(written.map((line) => JSON.parse(line).content)).toEqual(
    Array.from({ length: 1_500 }, (_, index) => `message ${1_499 - index}`),
  );
  expect(readdirSync(folder)).toEqual(["year.ndjson"]);
  // A finished export is not overwritten, nor written twice.
  await expect(run("guides/export-year.ts", room, "2001", file)).rejects.toThrow("EEXIST");
});

test("moderators process all reports, also one whose message is gone", async () => {
  const members = ["mod_kim", "mod_park"];
  for (const user_id of members) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
  const channel = { channel_id: "moderated", name: "Moderated", members };
  await chat.channels.create(channel).catch(ignoreExisting);
  const { message_id } = await chat.messages.send("moderated", {
    user_id: "mod_park",
    type: "text",
    content: "Buy now",
  });
  const report = { channel_id: "moderated", message_id, reporter_user_id: "mod_kim", reason: "Advertising" };
  const { report_id } = await chat.reports.create(report);
  await chat.messages.delete("moderated", message_id);
  await run("guides/moderate.ts");
  expect(await chat.reports.get(report_id)).toMatchObject({ status: "resolved" });
});

test("an event about reactions to a message that is gone does not end the program", async () => {
  const isMessage = /^\/v1\/group\/channels\/\w+\/messages\/[\d-]+$/;
  const proxy = await startProxy(
    ({ method, url }, response) =>
      method === "GET" && isMessage.test(url ?? "") && sendProblem(response, 404, "message_not_found"),
  );
  onTestFinished(() => proxy.close());
  expect((await runAt(proxy.url, "guides/reactions.ts")).stdout).toContain("pinned: 1");
});

test("a signal that cannot be sent does not end the program", async () => {
  let signals = 0;
  const proxy = await startProxy(
    ({ url }, response) =>
      url?.endsWith("/signals") === true &&
      ++signals === 1 &&
      sendProblem(response, 403, "not_a_participant"),
  );
  onTestFinished(() => proxy.close());
  expect((await runAt(proxy.url, "guides/listening.ts")).stdout).toContain("listen_kim is typing");
  expect(signals).toBeGreaterThan(1);
});

test("a receiver of webhooks does not read what is larger than any event", async () => {
  let isAsked = false;
  const proxy = await startProxy(({ url }) => {
    isAsked ||= url?.endsWith("/ping") === true;
    return isAsked;
  });
  onTestFinished(() => proxy.close());
  const receiving = runAt(proxy.url, "guides/webhooks.ts");
  onTestFinished(async () => {
    receiving.child.kill("SIGKILL");
    await receiving.catch(() => undefined);
    for (const { webhook_id } of await chat.webhooks.list()) await chat.webhooks.delete(webhook_id);
  });
  await expect.poll(() => isAsked).toBe(true);
  const [webhook] = await chat.webhooks.list();
  await expect(
    fetch(webhook?.url ?? "", { method: "POST", body: Buffer.alloc(20_000_000) }),
  ).rejects.toThrow();
});
