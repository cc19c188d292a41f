import { expect, test } from "vitest";
import { ChatClient, isApiError } from "../src/index";
import { FakeService } from "../src/testing/index";

async function start() {
  const service = new FakeService();
  const options = { baseUrl: "http://fake.test", apiKey: service.apiKey, fetch: service.fetch };
  const chat = new ChatClient({ ...options, bodilessDeletes: true });
  await chat.users.create({
    user_id: "kim_01",
    name: "Kim",
    meta: { team: "blue", floor: "three", desk: "a" },
  });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: [] });
  service.requests.length = 0;
  return { service, chat, sent: () => service.requests.map(({ operation }) => operation) };
}

test("with bodilessDeletes no DELETE has a body, and the results are the same", async () => {
  const { service, chat, sent } = await start();
  const { meta } = await chat.users.meta.delete("kim_01", ["team", "floor", "team"]);
  expect(meta).toEqual({ desk: "a" });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.channels.managers.remove("room_1", "kim_01");
  const { key } = await chat.keys.create();
  await chat.keys.delete(key);
  expect(await chat.keys.list()).toEqual([]);
  expect(sent()).toEqual([
    "users.meta.deleteKey",
    "users.meta.deleteKey",
    "channels.managers.add",
    "channels.managers.removeByPath",
    "keys.create",
    "keys.revoke",
    "keys.list",
  ]);
  for (const { method, body } of service.requests) if (method === "DELETE") expect(body).toBeUndefined();
});

test("deleting no metadata keys returns the user", async () => {
  const { chat, sent } = await start();
  expect(await chat.users.meta.delete("kim_01", [])).toMatchObject({ user_id: "kim_01" });
  expect(sent()).toEqual(["users.get"]);
});

test("errors and raw responses are those of the method", async () => {
  const { service, chat } = await start();
  const error = await chat.channels.managers.remove("room_1", "kim_01").catch((reason: unknown) => reason);
  expect(isApiError(error, "channels.managers.remove")).toBe(true);
  expect(error).toMatchObject({ operation: "channels.managers.remove", code: "manager_not_found" });
  const { data, meta } = await chat.raw.users.meta.delete("kim_01", ["team"]);
  expect([data.user_id, meta.status]).toEqual(["kim_01", 200]);
  await chat.channels.managers.add("room_1", "kim_01");
  service.failNext({ kind: "cut" });
  // The first attempt removed the manager; only its response was lost.
  await chat.channels.managers.remove("room_1", "kim_01");
});
