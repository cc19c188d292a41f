import { connect } from "../src/connect.ts";

const chat = connect();
await chat.users.create({ user_id: "pair_kim", name: "Kim" });
await chat.users.create({ user_id: "pair_park", name: "Park" });

/** The one channel that two people have to themselves, whoever asks first. */
async function openPair(one: string, other: string) {
  const { channel, created } = await chat.channels.create({
    channel_id: `pair_${crypto.randomUUID().replaceAll("-", "")}`,
    name: "One to one",
    members: [one, other],
    reuse: true,
  });
  console.log(created ? "a new channel" : "the same channel");
  return channel.channel_id;
}

const first = await openPair("pair_kim", "pair_park");
const second = await openPair("pair_park", "pair_kim");
console.log(first === second);
