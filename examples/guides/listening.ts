import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
for (const user_id of ["listen_kim", "listen_lee"])
  await chat.users.create({ user_id, name: user_id.slice(7) }).catch(ignoreExisting);
const room = { channel_id: "listen_room", name: "Lunch", members: ["listen_kim", "listen_lee"] };
await chat.channels.create(room).catch(ignoreExisting);

// The cursor of now. A program keeps it with its own data.
let { next: cursor } = await chat.events.list({ after: "latest" });

await chat.messages.send("listen_room", { user_id: "listen_kim", type: "text", content: "Noon?" });
await chat.messages.send("listen_room", { user_id: "listen_lee", type: "text", content: "Gladly." });

// Every event once, in order, also after connections broke and servers restarted.
let count = 0;
for await (const event of chat.events.listen({ after: cursor, channel_id: "listen_room" })) {
  if (event.type === "message.created" && event.data.message?.type === "text")
    console.log(`${event.data.message.user.name}: ${event.data.message.content}`);
  cursor = event.cursor;
  count += 1;
  if (count === 2) break;
}

// What happened while the program did not run is still there.
await chat.channels.members.markRead("listen_room", "listen_kim");
const { events } = await chat.events.list({ after: cursor, types: ["member.read"], wait: 5 });
for (const event of events)
  if (event.type === "member.read") console.log(`${event.user_id} has read ${event.channel_id}`);

// Kim types. Lee's screen shows it for a few seconds, unless another signal follows. One that fails does not matter.
const stop = new AbortController();
const signal = { user_id: "listen_kim", type: "typing" };
const typing = setInterval(() => chat.signals.send("listen_room", signal).catch(() => undefined), 500);
for await (const event of chat.events.listen({ after: "latest", live: true, signal: stop.signal })) {
  if (event.type !== "signal") continue;
  console.log(`${event.user_id} is ${event.data.type}`);
  stop.abort();
}
clearInterval(typing);
