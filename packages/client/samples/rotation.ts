import { ChatClient } from "@madang/client";

// Asked for every attempt. After a 401 it is asked once more with `refresh`, and the request is sent again.
const keys = { current: process.env.MADANG_API_KEY ?? "" };
const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: async ({ refresh }) => {
    if (refresh) keys.current = process.env.MADANG_NEXT_API_KEY ?? keys.current;
    return keys.current;
  },
  onRetry: ({ operation, attempt, reason, delayMs }) => console.log(operation, attempt, reason, delayMs),
});

const { data, meta } = await chat.raw.users.create({ user_id: "lee_02", name: "Lee" });
console.log(data.user_id, meta.status, meta.attempts, meta.requestId);
