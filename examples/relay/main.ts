// A chat in the browser: node examples/relay/main.ts, then open the two addresses that it prints.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ChatClient, isChatError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";
import { Relay } from "./relay.ts";

const chat = new ChatClient();
const relay = await Relay.open(chat);
const channelId = "relay_room";
const maxTextLength = 20_000;
const people = { relay_kim: "Kim", relay_park: "Park" };

for (const [user_id, name] of Object.entries(people))
  await chat.users.create({ user_id, name }).catch(ignoreExisting);
const room = { channel_id: channelId, name: "Lunch", members: Object.keys(people) };
await chat.channels.create(room).catch(ignoreExisting);

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    const status = isChatError(error) ? (error.status ?? 502) : 500;
    if (!response.headersSent) response.writeHead(status);
    response.end();
  });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://relay");
  const userId = signedIn(url);
  switch (`${request.method} ${url.pathname}`) {
    case "GET /":
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      return void response.end(await readFile(new URL("page.html", import.meta.url)));
    case "GET /events":
      return relay.connect(userId, response);
    case "GET /messages": {
      if (!(await isParticipant(userId))) return void response.writeHead(403).end();
      const { items } = await chat.messages.list(channelId, { pageSize: 50 }).firstPage();
      return sendJson(response, items.toReversed());
    }
    case "POST /messages": {
      const key = request.headers["idempotency-key"];
      if (!key) return void response.writeHead(400).end("Send an Idempotency-Key header.");
      const content = (await readText(request)).trim();
      // The page repeats its key when it sends a message again. Another user's key is another key.
      const idempotencyKey = `${userId}:${key}`;
      const message = { user_id: userId, type: "text", content } as const;
      return sendJson(response, await chat.messages.send(channelId, message, { idempotencyKey }));
    }
    default:
      response.writeHead(404).end();
  }
}

/** Your application knows who is signed in by its session. This example believes the address. */
function signedIn(url: URL): string {
  const userId = url.searchParams.get("user") ?? "";
  return Object.hasOwn(people, userId) ? userId : "relay_kim";
}

async function isParticipant(userId: string): Promise<boolean> {
  return (await chat.channels.members.list(channelId)).some(({ user_id }) => user_id === userId);
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > maxTextLength) throw new Error("The message is too long.");
  }
  return text;
}

const stopping = new AbortController();
relay.run(stopping.signal).catch((error: unknown) => {
  if (!stopping.signal.aborted) throw error;
});
server.listen(Number(process.env.RELAY_PORT ?? 4000), "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  for (const [user, name] of Object.entries(people))
    console.log(`${name}: http://127.0.0.1:${port}/?user=${user}`);
});
process.once("SIGTERM", () => {
  stopping.abort();
  server.close();
  server.closeAllConnections();
});
