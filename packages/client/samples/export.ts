import { writeFile } from "node:fs/promises";
import { ChatClient } from "@madang/client";

const chat = new ChatClient();

// A month in a time zone, one JSON object per line. The stream fetches a page when the file has taken the previous one.
const january = { start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul", pageSize: 1_000 };
await writeFile("january.ndjson", chat.exports.messages("lunch_01", january).toNdjson());

// Eight messages at a time. `onPage` follows the last message of each page: save its cursor to resume after a restart.
const saved: { cursor?: string | undefined } = {};
await chat.exports.messages("lunch_01", { cursor: saved.cursor, prefetch: 1 }).forEach(
  async (message) => {
    console.log(message.message_id);
  },
  {
    concurrency: 8,
    onPage: (page) => {
      saved.cursor = page.nextCursor;
      console.log(page.itemsSoFar, "messages, back to", page.reached?.oldest);
    },
  },
);
