// Writes the messages of a year in Seoul's time zone to a file, one JSON object per line. After an interruption it resumes.
//   node guides/export-year.ts lunch_1 2024 lunch-2024.ndjson
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { ChatClient } from "@madang/client";

const [channelId = "", year = "", file = ""] = process.argv.slice(2);
const cursorFile = `${file}.cursor`;
const cursor = existsSync(cursorFile) ? readFileSync(cursorFile, "utf8") : undefined;

const pages = new ChatClient().exports
  .messages(channelId, {
    start_date: `${year}-01-01`,
    end_date: `${year}-12-31`,
    timezone: "Asia/Seoul",
    pageSize: 1_000,
    prefetch: 1,
    cursor,
  })
  .pages();

for await (const page of pages) {
  appendFileSync(file, page.items.map((message) => `${JSON.stringify(message)}\n`).join(""));
  // Saved after the page: an interruption can write a page twice but never skips one. `message_id` shows duplicates.
  if (page.nextCursor !== undefined) writeFileSync(cursorFile, page.nextCursor);
  if (page.reached !== undefined) console.log("reached", new Date(page.reached.oldest).toISOString());
}
rmSync(cursorFile, { force: true });
console.log("done");
