import { ChatClient, NotFoundError } from "@madang/client";
import { afterAll, beforeEach, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { masterKey, startServer } from "../support/server";
import { startTcpProxy } from "../support/tcp-proxy";

let cuts: number;
const server = await startServer();
const proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
const direct = chatWith(server);
const chat = new ChatClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: masterKey });
await direct.users.create({ user_id: "kim_01", name: "Kim" });
await direct.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
afterAll(async () => {
  await proxy.close();
  await server.close();
});
beforeEach(() => {
  cuts = 0;
  // The change is committed when the first response is interrupted. The second one passes.
  proxy.set({
    onResponse(bytes, link) {
      if (cuts > 0) return bytes;
      cuts += 1;
      link.cut();
      return undefined;
    },
  });
});

test("the SDK retries after its connection broke, and one message is stored", async () => {
  const sent = await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Once" });
  expect(cuts).toBe(1);
  const messages = await direct.exports.messages("room_1").toArray({ max: 10 });
  expect(messages.map(({ message_id }) => message_id)).toEqual([sent.message_id]);
});

test("the SDK retries after its connection broke, and one sub key is created", async () => {
  const { key } = await chat.keys.create();
  expect(cuts).toBe(1);
  expect((await direct.keys.list()).map((each) => each.key)).toEqual([key]);
});

test("the SDK retries after its connection broke, and one channel is created", async () => {
  const { channel, created } = await chat.channels.create({
    channel_id: "room_2",
    name: "Dinner",
    members: ["kim_01"],
  });
  expect(cuts).toBe(1);
  expect(created).toBe(true);
  expect(channel.members.map(({ user_id }) => user_id)).toEqual(["kim_01"]);
});

test("the SDK retries every DELETE after its connection broke, and it has succeeded", async () => {
  await direct.users.create({ user_id: "lee_02", name: "Lee", meta: { team: "blue" } });
  await direct.channels.create({ channel_id: "room_3", name: "Tea", members: ["lee_02"] });
  const { message_id } = await direct.messages.send("room_3", {
    ...{ user_id: "lee_02", type: "text", content: "Tea?" },
  });
  const { key } = await direct.keys.create();
  await direct.channels.managers.add("room_3", "lee_02");
  const deletions: [string, () => Promise<unknown>][] = [
    ["a manager", () => chat.channels.managers.remove("room_3", "lee_02")],
    ["metadata", () => chat.users.meta.delete("lee_02", ["team"])],
    ["a message", () => chat.messages.delete("room_3", message_id)],
    ["a sub key", () => chat.keys.delete(key)],
    ["a channel", () => chat.channels.delete("room_3")],
    ["a user", () => chat.users.delete("lee_02")],
  ];
  for (const [what, call] of deletions) {
    cuts = 0;
    await call();
    expect([what, cuts]).toEqual([what, 1]);
  }
  const gone = [
    () => direct.channels.get("room_3"),
    () => direct.users.get("lee_02"),
    () => direct.keys.delete(key),
    () => direct.channels.managers.remove("room_1", "lee_02"),
  ];
  for (const call of gone) await expect(call()).rejects.toMatchObject({ status: 404 });
});

test("a DELETE that did not arrive and then finds nothing is a NotFoundError, not a success", async () => {
  const { key } = await direct.keys.create();
  proxy.set({
    onRequest(bytes, link) {
      if (cuts > 0) return bytes;
      cuts += 1;
      link.cut();
      return undefined;
    },
  });
  const other = `${key.slice(0, -1)}${key.endsWith("A") ? "B" : "A"}`;
  await expect(chat.keys.delete(other)).rejects.toBeInstanceOf(NotFoundError);
  expect(cuts).toBe(1);
});
