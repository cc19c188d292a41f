import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ChatClient, isApiError } from "@madang/client";
import {
  type HookRequest,
  type HookResponse,
  verifyHook,
  WebhookVerificationError,
} from "@madang/client/webhooks";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim] = ["checked_room", "checked_kim"];
await chat.users.create({ user_id: kim, name: "Kim" }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Lunch", members: [kim] }).catch(ignoreExisting);

// Shows what these words would match. Nothing is stored.
const words = ["buy now", "casino*"];
const { masked } = await chat.filters.try({ words, text: "Casinos! BUY  NOW" });
console.log(masked);

// Rejects texts with one of the words, in every channel.
const filter = await chat.filters.create({ label: "Advertising", words, action: "reject" });
try {
  await chat.messages.send(room, { user_id: kim, type: "text", content: "Free casino" });
} catch (error) {
  if (!isApiError(error, "messages.send") || error.code !== "message_rejected") throw error;
  console.log("rejected");
}

// Masks what a pattern matches, in one channel.
const numbers = await chat.filters.create({
  label: "Phone numbers",
  pattern: "\\b\\d{3}-\\d{4}\\b",
  channel_ids: [room],
  action: "mask",
});
const sent = await chat.messages.send(room, { user_id: kim, type: "text", content: "Call 555-1234" });
console.log(sent.type === "text" && sent.content);

// Each participant can send one message every 30 seconds.
const { slow_mode_seconds } = await chat.channels.setSlowMode(room, 30);
console.log(slow_mode_seconds);

// Stands for your classifier: how likely a text is an insult.
const classify = async (text: string) => (/idiot/i.test(text) ? 0.98 : 0.01);

// Decides about a message before it is stored.
async function check({ content }: HookRequest): Promise<HookResponse> {
  const isInsult = (await classify(content)) > 0.9;
  return isInsult ? { action: "reject", reason: "Please stay friendly." } : { action: "accept" };
}

let secret = "";
const server = createServer(async (request, response) => {
  try {
    let body = "";
    for await (const part of request.setEncoding("utf8")) {
      body += part;
      // Anybody can send to this address. Every message is smaller.
      if (body.length > 1_000_000) return void request.destroy();
    }
    response.end(JSON.stringify(await check(await verifyHook(secret, request.headers, body))));
  } catch (error) {
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end();
  }
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
// A server that listens on a port has an address.
const { port } = server.address() as AddressInfo;

// Checks the messages of users. If your server does not respond, messages are accepted.
const hook = await chat.hooks.create({
  url: `http://127.0.0.1:${port}/`,
  operations: ["messages.send", "messages.update"],
  callers: "users",
  on_failure: "accept",
});
secret = hook.secret;

await chat.channels.setSlowMode(room, 0);
const { token } = await chat.users.createToken(kim);
const page = new ChatClient({ baseUrl: process.env.MADANG_URL, apiKey: token });
for (const content of ["You idiot!", "You are right."])
  try {
    await page.messages.send(room, { type: "text", content });
    console.log("sent");
  } catch (error) {
    if (!isApiError(error, "messages.send") || error.code !== "message_rejected") throw error;
    console.log(error.reason);
  }
await chat.hooks.delete(hook.hook_id);
server.closeAllConnections();
server.close();

for (const { filter_id } of [filter, numbers]) await chat.filters.delete(filter_id);
