import { ChatClient } from "@madang/client";

const chat = new ChatClient();

// The items of all pages. Nothing is sent before the loop begins; leaving it aborts what is being fetched ahead.
for await (const user of chat.users.list({ name: "Kim", prefetch: 1 })) console.log(user.user_id);

// Pages, and a cursor to continue with in another process.
let cursor: string | undefined;
for await (const page of chat.users.list({ pageSize: 30 }).pages()) {
  console.log(page.items.length, "users,", page.itemsSoFar, "so far");
  cursor = page.nextCursor;
}
if (cursor !== undefined) await chat.users.list({ cursor }).firstPage();

// One page, with one request.
const first = await chat.channels.list().firstPage();
console.log(first.items.length, first.nextCursor === undefined ? "and no more" : "and more");

// Everything in one array. It throws if there are more than `max` and never truncates.
const everyone = await chat.users.list().toArray({ max: 5_000 });
console.log(everyone.length);
