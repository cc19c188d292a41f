import { ChatClient } from "@madang/client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { masterKey, startServer, type TestServer } from "../support/server";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy";

let server: TestServer;
let proxy: TcpProxy;
let direct: ChatClient;
let chat: ChatClient;
let cuts: number;
beforeAll(async () => {
  server = await startServer();
  proxy = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.url).port) });
  direct = chatWith(server);
  chat = new ChatClient({ baseUrl: `http://127.0.0.1:${proxy.port}`, apiKey: masterKey });
  await direct.users.create({ user_id: "kim_01", name: "Kim" });
  await direct.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
});
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
