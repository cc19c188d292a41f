// The server part of a chat: one route, which gives a page the token of the person who is signed in.
import { ChatClient, ConflictError } from "@madang/client";
import { Hono } from "hono";
import { people } from "./people.ts";

// Reads MADANG_URL and MADANG_API_KEY, which never leave the server.
const chat = new ChatClient();

export const app = new Hono();
app.post("/chat-token", async (context) => {
  const userId = signedIn(context.req.query("user"));
  return userId ? context.json(await chat.users.createToken(userId)) : context.body(null, 401);
});

/** Your application knows who is signed in by its session. This example believes the address. */
function signedIn(user = "chat_kim"): string | undefined {
  return Object.hasOwn(people, user) ? user : undefined;
}

/** Your application creates users when they sign up, and channels when they begin a conversation. */
async function prepare(): Promise<void> {
  for (const [user_id, name] of Object.entries(people))
    await chat.users.create({ user_id, name }).catch(ignoreExisting);
  const members = Object.keys(people);
  for (const [channel_id, name] of [
    ["chat_lunch", "Lunch"],
    ["chat_hiking", "Hiking on Sunday"],
  ] as const)
    await chat.channels.create({ channel_id, name, members }).catch(ignoreExisting);
  // Of a channel with this `meta`, the page shows the other person.
  const pair = { channel_id: "chat_kim_park", name: "Kim and Park", members: ["chat_kim", "chat_park"] };
  await chat.channels.create({ ...pair, reuse: true, meta: { direct: "true" } }).catch(ignoreExisting);
}

function ignoreExisting(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

await prepare();
