import { ChatClient } from "@madang/client";
import { expect, test } from "vitest";
import { masterKey, startServer } from "../../test/support/server";

test("a deletion is completed long before the next interval", async () => {
  const server = await startServer({ hasBackgroundTasks: true });
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  for (const user_id of ["kim_01", "lee_01"]) await chat.users.create({ user_id, name: user_id });
  for (const channel_id of ["room_1", "room_2"])
    await chat.channels.create({ channel_id, name: "Room", members: ["kim_01", "lee_01"] });
  const count = async () => [await server.db.prisma.member.count(), await server.db.prisma.channel.count()];
  expect(await count()).toEqual([4, 2]);
  await chat.users.delete("lee_01");
  await expect.poll(count, { timeout: 20_000 }).toEqual([2, 2]);
  await chat.channels.delete("room_2");
  await expect.poll(count, { timeout: 20_000 }).toEqual([1, 1]);
  await server.close();
});
