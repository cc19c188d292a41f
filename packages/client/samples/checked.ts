import { ChatClient } from "@madang/client";

// Every response is checked in full. Unknown fields are allowed; a wrong field throws a `ParseError` that names it.
const chat = new ChatClient({ check: true });

console.log((await chat.users.list({ pageSize: 5 }).firstPage()).items.length);
