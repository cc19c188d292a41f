import { ChatClient } from "@madang/client";

/** Calls every method of the SDK once, in an order that a real server follows. */
export async function tourWithSdk(
  baseUrl: string,
  apiKey: string,
  fetch: typeof globalThis.fetch,
): Promise<void> {
  const chat = new ChatClient({ baseUrl, apiKey, fetch, maxRetries: 0 });
  const bodiless = new ChatClient({ baseUrl, apiKey, fetch, maxRetries: 0, bodilessDeletes: true });
  await chat.users.create({ user_id: "sdk_kim", name: "Kim", meta: { team: "blue" } });
  await chat.users.create({ user_id: "sdk_park", name: "Park", profile_url: "https://example.com/park.png" });
  await chat.users.list({ pageSize: 5 });
  await chat.users.get("sdk_kim");
  await chat.users.update("sdk_kim", { name: "김" });
  await chat.users.meta.merge("sdk_kim", { 층: "3" });
  await chat.users.meta.delete("sdk_kim", ["team"]);
  await chat.channels.create({ channel_id: "sdk_room", name: "Lunch", members: ["sdk_kim"], reuse: false });
  await chat.channels.update("sdk_room", { name: "점심" });
  await chat.channels.get("sdk_room");
  await chat.channels.list();
  await chat.channels.members.join("sdk_room", "sdk_park");
  await chat.channels.members.list("sdk_room");
  await chat.channels.managers.add("sdk_room", "sdk_kim");
  await chat.channels.managers.list("sdk_room");
  await chat.channels.freeze("sdk_room", true);
  await chat.messages.send("sdk_room", { user_id: "sdk_kim", type: "text", content: "점심 먹을까요?" });
  const file = { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 48_213 };
  await chat.messages.send("sdk_room", { user_id: "sdk_kim", type: "file", file, meta: { source: "phone" } });
  await chat.exports.messages("sdk_room", { start_date: "2024-01-01", timezone: "Asia/Seoul" });
  await chat.channels.managers.remove("sdk_room", "sdk_kim");
  await chat.channels.managers.add("sdk_room", "sdk_park");
  await bodiless.channels.managers.remove("sdk_room", "sdk_park");
  await bodiless.users.meta.delete("sdk_kim", ["층"]);
  await chat.channels.members.leave("sdk_room", "sdk_park");
  const { key } = await chat.keys.create();
  await chat.keys.list();
  await chat.keys.delete(key);
  await bodiless.keys.delete((await chat.keys.create()).key);
  await chat.channels.delete("sdk_room");
  await chat.users.delete("sdk_park");
  await chat.users.delete("sdk_kim");
}
