import { ChatClient } from "@madang/client";
import { ignoreExisting } from "../src/ignore-existing.ts";

const chat = new ChatClient();
for (let number = 0; number < 12; number += 1) {
  await chat.users.create({ user_id: `list_${number}`, name: "Listed" }).catch(ignoreExisting);
}

// Every item of all pages.
for await (const user of chat.users.list({ name: "Listed" })) console.log(user.user_id);

// One page, with one request.
const first = await chat.users.list({ name: "Listed", pageSize: 5 }).firstPage();
console.log(first.items.length, "users, more:", first.nextCursor !== undefined);

// Page by page, from a cursor.
for await (const page of chat.users.list({ cursor: first.nextCursor }).pages()) {
  console.log("a page of", page.items.length);
}

// Everything in one array. It throws if there are more than `max` and never truncates.
const all = await chat.users.list({ name: "Listed" }).toArray({ max: 1_000 });
console.log(all.length, "in total");
