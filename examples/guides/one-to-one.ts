import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
await chat.users.create({ user_id: "pair_kim", name: "Kim" }).catch(ignoreExisting);
await chat.users.create({ user_id: "pair_park", name: "Park" }).catch(ignoreExisting);

/** Returns the channel of exactly these two users, and creates it if there is none. */
async function openPair(one: string, other: string) {
  const { channel, created } = await chat.channels.create({
    channel_id: `pair_${crypto.randomUUID().replaceAll("-", "")}`,
    name: "One to one",
    members: [one, other],
    reuse: true,
  });
  console.log(created ? "created" : "reused");
  return channel.channel_id;
}

const first = await openPair("pair_kim", "pair_park");
const second = await openPair("pair_park", "pair_kim");
console.log(first === second);

// Kim's inbox, with the name of the other participant of each channel.
for await (const { members = [] } of chat.users.channels("pair_kim", { members: true })) {
  const others = members.filter(({ user_id }) => user_id !== "pair_kim");
  console.log(others.map(({ name }) => name).join(", "));
}
