import { ChatClient } from "@madang/client";

// Every response is checked in full. Unknown fields are allowed; a wrong field throws a `ParseError` that names it.
const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? "",
  check: true,
});

console.log((await chat.users.list({ pageSize: 5 })).items.length);
