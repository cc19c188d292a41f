// Writes the messages of a year, in Seoul's calendar, as NDJSON. Interrupted, it goes on where it was.
//   node guides/export-year.ts lunch_1 2024 lunch-2024.ndjson
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "../src/connect.ts";

const [channelId = "", year = "", file = ""] = process.argv.slice(2);
const place = `${file}.cursor`;
const cursor = existsSync(place) ? readFileSync(place, "utf8") : undefined;

const pages = connect()
  .exports.messages(channelId, {
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
  // Saved after the page: a page may be written twice, never skipped. Messages have ids to tell them by.
  if (page.nextCursor !== undefined) writeFileSync(place, page.nextCursor);
  if (page.reached !== undefined) console.log("reached", new Date(page.reached.oldest).toISOString());
}
rmSync(place, { force: true });
console.log("done");
