import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const members = ["order_kim"];
await chat.users.create({ user_id: "order_kim", name: "Kim" }).catch(ignoreExisting);
await chat.channels.create({ channel_id: "order_1042", name: "Order", members }).catch(ignoreExisting);

// The key names the job. However often the job runs within 24 hours, one message is sent.
const message = { user_id: "order_kim", type: "text", content: "Your order is on its way." } as const;
const one = await chat.messages.send("order_1042", message, { idempotencyKey: "order-1042-shipped" });
const two = await chat.messages.send("order_1042", message, { idempotencyKey: "order-1042-shipped" });
console.log(one.message_id === two.message_id);
