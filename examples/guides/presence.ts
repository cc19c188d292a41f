// Lists who is online with an API key, and follows changes on a page.
import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
const [room, kim, lee] = ["here_room", "here_kim", "here_lee"];
for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: user_id }).catch(ignoreExisting);
await chat.channels.create({ channel_id: room, name: "Room", members: [kim, lee] }).catch(ignoreExisting);

/** A client with a token of a user, as on a page. */
const openPage = (userId: string) =>
  new ChatClient({ baseUrl: process.env.MADANG_URL, token: () => chat.users.createToken(userId) });

// Kim's page is open.
const closing = new AbortController();
const ofKim = openPage(kim).events.listen({ after: "latest", signal: closing.signal });
const opened = ofKim.next();

// On Lee's page: follows who is online, until Kim is.
const online = new Set<string>();
const page = openPage(lee);
for await (const event of page.events.listen({ after: "latest", live: true, presenceOf: [kim] })) {
  if (event.type !== "presence") continue;
  const { user_id, status } = event.data;
  if (status === "online") online.add(user_id);
  else online.delete(user_id);
  if (online.has(kim)) break;
}

// At most 100 users. The result has their order.
const { presence } = await chat.presence.list({ user_ids: [kim, lee] });
for (const { user_id, status } of presence) console.log(user_id, status);

closing.abort();
await opened;
