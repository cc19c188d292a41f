import { connect } from "../src/connect.ts";

const chat = connect();
for (let number = 0; number < 12; number += 1) {
  await chat.users.create({ user_id: `list_${number}`, name: "Listed" });
}

// Every item, over all pages.
for await (const user of chat.users.list({ name: "Listed" })) console.log(user.user_id);

// One page, by one request.
const first = await chat.users.list({ name: "Listed", pageSize: 5 });
console.log(first.items.length, "users, and there are more:", first.nextCursor !== undefined);

// Page by page, from where an earlier walk ended.
for await (const page of chat.users.list({ cursor: first.nextCursor }).pages()) {
  console.log("a page of", page.items.length);
}

// All at once, with a bound that throws instead of cutting.
const all = await chat.users.list({ name: "Listed" }).toArray({ max: 1_000 });
console.log(all.length, "in all");
