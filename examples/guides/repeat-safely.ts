import { connect } from "../src/connect.ts";

const chat = connect();
await chat.users.create({ user_id: "again_kim", name: "Kim" });
await chat.channels.create({ channel_id: "again_room", name: "Room", members: ["again_kim"] });

// A key of the caller's own job: however often the job runs in a day, one message is sent.
const message = { user_id: "again_kim", type: "text", content: "Your order is on its way." } as const;
const one = await chat.messages.send("again_room", message, { idempotencyKey: "order-1042-shipped" });
const two = await chat.messages.send("again_room", message, { idempotencyKey: "order-1042-shipped" });
console.log(one.message_id === two.message_id);
