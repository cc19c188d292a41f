import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";
import { sweepDeletedChannels } from "../support/sweep";
import { createUsers } from "../support/users";

const server = await startServer();
const chat = chatWith(server);
afterAll(() => server.close());

test("a deleted user that is created again is another user, and old messages keep the deleted sender", async () => {
  await chat.users.create({ user_id: "kim_01", name: "Kim", meta: { team: "blue" } });
  await createUsers(chat, ["park_03"]);
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ["kim_01", "park_03"] });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "before" });
  await chat.users.update("kim_01", { name: "Kim the last", profile_url: "https://example.com/k.png" });
  await chat.users.delete("kim_01");

  await expect(chat.users.delete("kim_01")).rejects.toMatchObject({ code: "user_not_found" });
  await expect(chat.channels.members.list("room_1")).resolves.toMatchObject([{ user_id: "park_03" }]);
  await expect(chat.channels.managers.list("room_1")).resolves.toEqual([]);

  await chat.users.create({ user_id: "kim_01", name: "Another Kim" });
  await expect(
    chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "no" }),
  ).rejects.toMatchObject({
    code: "not_a_participant",
  });
  await chat.channels.members.join("room_1", "kim_01");
  await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "after" });
  const history = await chat.exports.messages("room_1").toArray({ max: 10 });
  expect(history).toMatchObject([
    { content: "after", user: { user_id: "kim_01", name: "Another Kim", meta: {} } },
    {
      content: "before",
      user: { name: "Kim the last", profile_url: "https://example.com/k.png", meta: { team: "blue" } },
    },
  ]);
});

test("in a frozen channel only managers can send, and the counters are exact", async () => {
  await createUsers(chat, ["boss", "worker", "guest"]);
  await chat.channels.create({ channel_id: "frozen", name: "Frozen", members: ["worker"] });
  await chat.channels.managers.add("frozen", "boss");
  const file = { type: "image/png", name: "a.png", url: "https://example.com/a.png", size: 12 };
  await chat.messages.send("frozen", { user_id: "worker", type: "file", file });
  expect(await chat.channels.freeze("frozen", true)).toMatchObject({ freeze: true });
  const send = (user_id: string) => chat.messages.send("frozen", { user_id, type: "text", content: "hi" });
  await expect(send("worker")).rejects.toMatchObject({ status: 403, code: "channel_frozen" });
  await expect(send("guest")).rejects.toMatchObject({ status: 403, code: "not_a_participant" });
  await expect(send("boss")).resolves.toMatchObject({ content: "hi" });
  await chat.channels.freeze("frozen", false);
  await send("worker");
  expect(await chat.channels.get("frozen")).toMatchObject({
    total_message_count: 3,
    total_file_count: 1,
    freeze: false,
  });
});

test("a deleted channel is removed immediately with its messages, and its id can be used again", async () => {
  await createUsers(chat, ["tenant"]);
  const create = () => chat.channels.create({ channel_id: "rented", name: "Rented", members: ["tenant"] });
  await create();
  for (let count = 0; count < 150; count += 1)
    await chat.messages.send("rented", { user_id: "tenant", type: "text", content: String(count) });
  const { nextCursor } = await chat.exports.messages("rented", { pageSize: 100 }).firstPage();
  await chat.channels.delete("rented");
  await expect(chat.channels.get("rented")).rejects.toMatchObject({ code: "channel_not_found" });

  const { channel } = await create();
  expect(channel).toMatchObject({ total_message_count: 0 });
  expect(await chat.exports.messages("rented").toArray({ max: 1 })).toEqual([]);
  const old = chat.exports.messages("rented", { cursor: nextCursor ?? "" });
  await expect(old.toArray({ max: 1 })).rejects.toMatchObject({ code: "invalid_cursor" });

  while (await sweepDeletedChannels(server.db));
  const left = { name: "test.left", text: "SELECT 1 AS left FROM channels WHERE deleted_at IS NOT NULL" };
  const rows = await Promise.all(server.db.schemas().map((schema) => schema.query(left)));
  expect(rows.flat()).toEqual([]);
  await expect(chat.channels.get("rented")).resolves.toMatchObject({ channel_id: "rented" });
});
