import { ChatClient } from "@madang/client";

// Called for every attempt. After a 401 it is called once more with `refresh`, and the request is sent again.
const keys = { current: process.env.MADANG_API_KEY ?? "" };
const chat = new ChatClient({
  apiKey: async ({ refresh }) => {
    if (refresh) keys.current = process.env.MADANG_NEXT_API_KEY ?? keys.current;
    return keys.current;
  },
  onRetry: ({ operation, attempt, reason, waitedMs }) => console.log(operation, attempt, reason, waitedMs),
});

const { data, meta } = await chat.raw.users.get("kim_01");
console.log(data.user_id, meta.status, meta.attempts, meta.requestId);
