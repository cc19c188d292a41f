import { writeFile } from "node:fs/promises";
import { ChatClient } from "@madang/client";

const chat = new ChatClient({
  baseUrl: process.env.MADANG_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.MADANG_API_KEY ?? "",
});

// A month of a zone as lines of JSON. The stream asks for a page when the file has taken the one before.
const january = { start_date: "2024-01-01", end_date: "2024-01-31", timezone: "Asia/Seoul", pageSize: 1_000 };
await writeFile("january.ndjson", chat.exports.messages("room_1", january).toNdjson());

// Eight messages in work at once. `onPage` follows the last of each page: what is saved there, a restart goes on from.
const saved: { cursor?: string | undefined } = {};
await chat.exports.messages("room_1", { cursor: saved.cursor, prefetch: 1 }).forEach(
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
