// A chat in the browser: node examples/relay/main.ts, then open the two addresses that it prints.
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { ChatClient, isChatError } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";
import { presentMessage, presentUser } from "./present.ts";
import { Relay } from "./relay.ts";

const chat = new ChatClient();
const relay = await Relay.open(chat);
const channelId = "relay_room";
/** More than a message of 8,192 characters needs in JSON, in which some take six. */
const maxBodyLength = 60_000;
const people = { relay_kim: "Kim", relay_park: "Park" };

for (const [user_id, name] of Object.entries(people))
  await chat.users.create({ user_id, name }).catch(ignoreExisting);
const room = { channel_id: channelId, name: "Lunch", members: Object.keys(people) };
await chat.channels.create(room).catch(ignoreExisting);

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    const isRejection = error instanceof Rejection;
    const status = isRejection ? error.status : isChatError(error) ? (error.status ?? 502) : 500;
    if (!response.headersSent) response.writeHead(status);
    response.end(isRejection ? error.message : undefined);
  });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://relay");
  const userId = signedIn(url);
  const messageId = url.searchParams.get("message") ?? "";
  const reaction = url.searchParams.get("reaction") ?? "";
  switch (`${request.method} ${url.pathname}`) {
    case "GET /":
      response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
      return void response.end(await readFile(new URL("page.html", import.meta.url)));
    case "GET /events":
      return relay.connect(userId, response);
    case "GET /messages": {
      await requireParticipant(userId);
      const { items } = await chat.messages.list(channelId, { pageSize: 50 }).firstPage();
      return sendJson(response, items.toReversed().map(presentMessage));
    }
    case "POST /messages": {
      const key = request.headers["idempotency-key"];
      if (!key) throw new Rejection(400, "Send an Idempotency-Key header.");
      const { content, reply_to } = await readDraft(request);
      // The page repeats its key when it sends a message again. Another user's key is another key.
      const idempotencyKey = `${userId}:${key}`;
      const message = { user_id: userId, type: "text", content, reply_to } as const;
      const sent = await chat.messages.send(channelId, message, { idempotencyKey });
      return sendJson(response, presentMessage(sent));
    }
    case "PUT /read":
      await chat.channels.members.markRead(channelId, userId, messageId);
      return void response.writeHead(204).end();
    case "GET /readers": {
      await requireParticipant(userId);
      const { readers } = await chat.messages.readers(channelId, messageId);
      return sendJson(response, readers.map(presentUser));
    }
    case "GET /reactions": {
      await requireParticipant(userId);
      const reactions = await chat.messages.reactions.list(channelId, messageId).toArray();
      return sendJson(
        response,
        reactions.map(({ reaction, user }) => ({ reaction, user: presentUser(user) })),
      );
    }
    case "PUT /reactions":
      await chat.messages.reactions.add(channelId, messageId, reaction, userId);
      return void response.writeHead(204).end();
    case "DELETE /reactions":
      await chat.messages.reactions.remove(channelId, messageId, reaction, userId);
      return void response.writeHead(204).end();
    default:
      throw new Rejection(404, "There is nothing at this address.");
  }
}

/** A response to a request that the relay itself rejects. */
class Rejection extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Your application knows who is signed in by its session. This example believes the address. */
function signedIn(url: URL): string {
  const userId = url.searchParams.get("user") ?? "";
  return Object.hasOwn(people, userId) ? userId : "relay_kim";
}

async function requireParticipant(userId: string): Promise<void> {
  const members = await chat.channels.members.list(channelId);
  if (!members.some(({ user_id }) => user_id === userId))
    throw new Rejection(403, "You are not in this channel.");
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

/** What a user writes: a text, and maybe the message that it replies to. */
async function readDraft(request: IncomingMessage): Promise<{ content: string; reply_to?: string }> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += chunk;
    if (text.length > maxBodyLength) throw new Rejection(413, "The message is too long.");
  }
  const { content, reply_to } = Object(parseJson(text));
  if (typeof content !== "string") throw new Rejection(400, "Send the text as content.");
  if (reply_to === undefined) return { content: content.trim() };
  if (typeof reply_to !== "string") throw new Rejection(400, "Send reply_to as the id of a message.");
  return { content: content.trim(), reply_to };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Rejection(400, "Send JSON.");
  }
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
