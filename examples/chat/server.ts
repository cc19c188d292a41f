// A chat in the browser. Its server part is one endpoint, which gives a page the token of the person who is signed in.
import { serve } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { ChatClient } from "@madang/client";
import { Hono } from "hono";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const people = { chat_kim: "Kim", chat_park: "Park", chat_lee: "Lee" };
const channels = { chat_lunch: "Lunch", chat_hiking: "Hiking on Sunday" };

for (const [user_id, name] of Object.entries(people))
  await chat.users.create({ user_id, name }).catch(ignoreExisting);
for (const [channel_id, name] of Object.entries(channels))
  await chat.channels.create({ channel_id, name, members: Object.keys(people) }).catch(ignoreExisting);

const app = new Hono();
app.post("/chat-token", async (context) => {
  const userId = signedIn(context.req.query("user"));
  return userId ? context.json(await chat.users.createToken(userId)) : context.body(null, 401);
});
app.use(serveStatic({ root: `${import.meta.dirname}/dist` }));

/** Your application knows who is signed in by its session. This example believes the address. */
function signedIn(user = "chat_kim"): string | undefined {
  return Object.hasOwn(people, user) ? user : undefined;
}

const port = Number(process.env.PORT ?? 4000);
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, () => {
  for (const [user, name] of Object.entries(people))
    console.log(`${name}: http://localhost:${port}/?user=${user}`);
});
