import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatClient } from "@madang/client";
import { verifyWebhook, WebhookVerificationError } from "@madang/client/webhooks";
import { ignoreExisting } from "../src/ignore-existing.ts";

let secret = "";
const handled = new Set<string>();
const receiver = createServer(async (request, response) => {
  try {
    let body = "";
    for await (const part of request.setEncoding("utf8")) {
      body += part;
      // Anybody can send to this address. Every event is smaller.
      if (body.length > 1_000_000) return void request.destroy();
    }
    const event = await verifyWebhook(secret, request.headers, body);
    // A delivery may arrive twice.
    if (!handled.has(event.event_id)) {
      handled.add(event.event_id);
      console.log(event.type);
    }
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
await new Promise<void>((done) => receiver.listen(0, "127.0.0.1", done));
// A server that listens on a port has an address.
const { port } = receiver.address() as AddressInfo;

const chat = new ChatClient();
const webhook = await chat.webhooks.create({
  url: `http://127.0.0.1:${port}/`,
  types: ["message.created"],
  description: "Search index",
});
secret = webhook.secret;

const { status, error } = await chat.webhooks.ping(webhook.webhook_id);
console.log("the receiver responds with", status ?? error);

await chat.users.create({ user_id: "hook_kim", name: "Kim" }).catch(ignoreExisting);
await chat.channels
  .create({ channel_id: "hook_room", name: "Lunch", members: ["hook_kim"] })
  .catch(ignoreExisting);
await chat.messages.send("hook_room", { user_id: "hook_kim", type: "text", content: "See you at noon." });
// An attempt is stored after its response.
const listAttempts = () => chat.webhooks.attempts(webhook.webhook_id).toArray();
while ((await listAttempts()).length < 2) await new Promise((done) => setTimeout(done, 20));

for (const attempt of await listAttempts()) console.log(attempt.attempt, attempt.status ?? attempt.error);
await chat.webhooks.delete(webhook.webhook_id);
receiver.closeAllConnections();
receiver.close();
