import type { OperationId } from "@madang/contract";

/** How an operation is called through the SDK. */
export function sdkSample(id: string): string {
  const sample = Object.entries(sdkSamples).find(([name]) => name === id);
  if (sample === undefined) throw new Error(`There is no call of ${id} through the SDK to show.`);
  return sample[1];
}

/** A test type-checks every one and runs it against a server. */
export const sdkSamples: Readonly<Record<OperationId, string>> = {
  "users.list": `for await (const user of chat.users.list({ pageSize: 15 })) {
  console.log(user.user_id, user.name);
}`,
  "users.get": `const user = await chat.users.get("kim_01");`,
  "users.create": `const user = await chat.users.create({
  user_id: "kim_01",
  name: "Kim",
  meta: { team: "blue" },
});`,
  "users.update": `const user = await chat.users.update("kim_01", { name: "Kim" });`,
  "users.delete": `await chat.users.delete("kim_01");`,
  "users.meta.merge": `const user = await chat.users.meta.merge("kim_01", { team: "blue" });`,
  "users.meta.delete": `const user = await chat.users.meta.delete("kim_01", ["team", "floor"]);`,
  "channels.create": `const { channel, created } = await chat.channels.create({
  channel_id: "room_1",
  name: "Lunch",
  members: ["kim_01", "park_03"],
  reuse: false,
});`,
  "channels.update": `const channel = await chat.channels.update("room_1", { name: "Lunch" });`,
  "channels.delete": `await chat.channels.delete("room_1");`,
  "channels.members.list": `const members = await chat.channels.members.list("room_1");`,
  "channels.members.join": `await chat.channels.members.join("room_1", "park_03");`,
  "channels.members.leave": `await chat.channels.members.leave("room_1", "park_03");`,
  "channels.managers.list": `const managers = await chat.channels.managers.list("room_1");`,
  "channels.managers.add": `await chat.channels.managers.add("room_1", "kim_01");`,
  "channels.managers.remove": `await chat.channels.managers.remove("room_1", "kim_01");`,
  "exports.messages": `const month = { start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul" };
for await (const message of chat.exports.messages("room_1", month)) {
  console.log(message.created_at, message.user.name);
}`,
  "keys.list": `const keys = await chat.keys.list();`,
  "keys.create": `const { key } = await chat.keys.create();`,
  "keys.delete": `await chat.keys.delete(key);`,
  "channels.get": `const channel = await chat.channels.get("room_1");`,
  "channels.list": `for await (const channel of chat.channels.list({ pageSize: 15 })) {
  console.log(channel.channel_id, channel.name);
}`,
  "channels.freeze": `const channel = await chat.channels.freeze("room_1", true);`,
  "channels.managers.removeByPath": `// with new ChatClient({ …, bodilessDeletes: true })
await chat.channels.managers.remove("room_1", "kim_01");`,
  "users.meta.deleteKey": `// with new ChatClient({ …, bodilessDeletes: true })
const user = await chat.users.meta.delete("kim_01", ["team"]);`,
  "keys.revoke": `// with new ChatClient({ …, bodilessDeletes: true })
await chat.keys.delete(key);`,
  "messages.send": `const message = await chat.messages.send("room_1", {
  user_id: "kim_01",
  type: "text",
  content: "See you at noon.",
});`,
};
