import type { ChatClient } from "@madang/client";
import { expect } from "vitest";

/** Uses every kind of resource once: users, channels, messages, read marks, exports, imports, keys, webhooks and events. */
export async function holdConversation(chat: ChatClient): Promise<void> {
  const { next } = await chat.events.list({ after: "latest" });
  const ids = ["kim_01", "park_03"];
  for (const user_id of ids) await chat.users.create({ user_id, name: user_id });
  await chat.users.meta.merge("kim_01", { team: "blue" });
  await chat.users.list().toArray({ max: 5 });
  await chat.channels.create({ channel_id: "room_1", name: "Room", members: ids });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.channels.members.list("room_1");
  const message = { user_id: "kim_01", type: "text", content: "Hello" } as const;
  const sent = await chat.messages.send("room_1", message, { idempotencyKey: "first" });
  expect(await chat.messages.send("room_1", message, { idempotencyKey: "first" })).toEqual(sent);
  await chat.messages.update("room_1", sent.message_id, { content: "Hello!" });
  await chat.imports.messages("room_1", [{ ...message, external_id: "old", created_at: 1_600_000_000_000 }]);
  await chat.channels.members.markRead("room_1", "park_03");
  await chat.messages.list("room_1").toArray({ max: 5 });
  await chat.users.channels("park_03").toArray({ max: 5 });
  await chat.users.unread("park_03");
  expect(await chat.exports.messages("room_1").toArray({ max: 5 })).toHaveLength(2);
  const { key } = await chat.keys.create();
  await chat.keys.delete(key);
  const { webhook_id } = await chat.webhooks.create({ url: "https://hooks.example.com/madang" });
  await chat.webhooks.delete(webhook_id);
  for await (const event of chat.events.listen({ after: next })) if (event.type === "message.created") break;
  expect((await chat.events.list({ types: ["message.created"] })).events).toHaveLength(1);
  await chat.users.delete("park_03");
  await chat.channels.delete("room_1");
}
