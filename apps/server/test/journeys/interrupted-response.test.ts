import { ChatClient, NotFoundError } from "@madang/client";
import { FaultyFetch } from "@madang/client/testing";
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

test("a retry does not undo what another caller changed in between", async () => {
  const { message_id } = await direct.messages.send("room_1", {
    ...{ user_id: "kim_01", type: "text", content: "Noon?" },
  });
  const read = {
    muted: async () => (await direct.channels.members.get("room_1", "kim_01")).muted_until,
    frozen: async () => (await direct.channels.get("room_1")).freeze,
    content: async () => Object(await direct.messages.get("room_1", message_id)).content,
    name: async () => (await direct.users.get("kim_01")).name,
  };
  type Change = (chat: ChatClient) => Promise<unknown>;
  const cases: [keyof typeof read, retried: Change, ofAnother: Change][] = [
    [
      "muted",
      (chat) => chat.channels.members.mute("room_1", "kim_01"),
      (chat) => chat.channels.members.unmute("room_1", "kim_01"),
    ],
    [
      "frozen",
      (chat) => chat.channels.freeze("room_1", true),
      (chat) => chat.channels.freeze("room_1", false),
    ],
    [
      "content",
      (chat) => chat.messages.update("room_1", message_id, { content: "One?" }),
      (chat) => chat.messages.update("room_1", message_id, { content: "Two?" }),
    ],
    [
      "name",
      (chat) => chat.users.update("kim_01", { name: "Kim One" }),
      (chat) => chat.users.update("kim_01", { name: "Kim Two" }),
    ],
  ];
  for (const [state, retried, ofAnother] of cases) {
    let attempts = 0;
    const faulty = new FaultyFetch(async (url, init) => {
      if (++attempts === 2) await ofAnother(direct);
      return fetch(url, init);
    });
    faulty.failNext({ kind: "cut" });
    await retried(new ChatClient({ baseUrl: server.url, apiKey: masterKey, fetch: faulty.fetch }));
    expect(attempts).toBe(2);
    const left = await read[state]();
    await ofAnother(direct);
    expect([state, left]).toEqual([state, await read[state]()]);
  }
});
