import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const staff = ["many_01", "many_02", "many_03"];
for (const user_id of staff) await chat.users.create({ user_id, name: "Many Kim" }).catch(ignoreExisting);
const teams = ["many_team_a", "many_team_b"];
for (const channel_id of teams)
  await chat.channels.create({ channel_id, name: "Team", members: [] }).catch(ignoreExisting);

// Adds all users, or none.
for (const team of teams) {
  const { joined, already_joined } = await chat.channels.members.addMany(team, staff);
  console.log(team, "has", joined.length + already_joined.length, "participants");
}

// Sends an announcement. With the idempotency key, repeating the call sends no message twice.
const announcement = {
  channel_ids: [...teams, "many_closed"],
  user_id: "many_01",
  type: "text",
  content: "The office closes at noon.",
} as const;
const { results } = await chat.messages.sendMany(announcement, { idempotencyKey: "closing-at-noon" });
for (const { channel_id, message, code } of results)
  console.log(`${channel_id}: ${message === undefined ? code : "sent"}`);

// Users by id, in the order of the request. Ids that do not exist are left out.
const found = await chat.users.list({ user_ids: ["many_02", "many_99", "many_01"] }).firstPage();
console.log(found.items.map(({ user_id }) => user_id).join(" "));

// Users by words of their name, for example to complete a name that is being typed; or by their id.
const typed = await chat.users.list({ q: "many", pageSize: 5 }).firstPage();
console.log(typed.items.length > 0 ? "found by name" : "nobody");

// The channels with unread messages, then the number of them in one channel.
for await (const channel of chat.users.channels("many_02", { unread: true }))
  console.log("unread in", channel.channel_id);
const { unread_count = 0 } = await chat.channels.members.get("many_team_a", "many_02");
console.log(unread_count > 0 ? "something is unread" : "all is read");
