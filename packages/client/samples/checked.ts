import { ChatClient } from "@madang/client";
import { checkAnswer } from "@madang/client/check";

// Every answer is held against the contract. What is new in it passes; what is wrong throws a `ParseError` that names the field.
const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? "",
  check: checkAnswer,
});

console.log((await chat.users.list({ pageSize: 5 })).items.length);
