// Writes the messages of a year in Seoul's time zone to a new file, one JSON object per line. After an interruption it resumes.
//   node guides/export-year.ts lunch_1 2024 lunch-2024.ndjson
import * as fs from "node:fs";
import { ChatClient } from "@madang/client";

const [channelId = "", year = "", file = ""] = process.argv.slice(2);
const stateFile = `${file}.state`;
/** Saves the size of the file after a page, and where to continue. Renaming leaves the old state or the new one. */
function save(state: { size: number; cursor?: string }) {
  fs.writeFileSync(`${stateFile}.new`, JSON.stringify(state), { flush: true });
  fs.renameSync(`${stateFile}.new`, stateFile);
}

if (!fs.existsSync(stateFile)) {
  fs.writeFileSync(file, "", { flag: "wx" });
  save({ size: 0 });
}
const { size, cursor } = JSON.parse(fs.readFileSync(stateFile, "utf8"));
// What follows may be a part of a page.
fs.truncateSync(file, size);
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
  const lines = page.items.map((message) => `${JSON.stringify(message)}\n`).join("");
  fs.appendFileSync(file, lines, { flush: true });
  if (page.nextCursor !== undefined) save({ size: fs.statSync(file).size, cursor: page.nextCursor });
  if (page.reached !== undefined) console.log("reached", new Date(page.reached.oldest).toISOString());
}
fs.rmSync(stateFile);
console.log("done");
