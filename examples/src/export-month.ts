// Writes the messages of a month in Seoul's time zone to standard output, one JSON object per line.
//   node src/export-month.ts lunch_1 2024-05 > may.ndjson
import { once } from "node:events";
import { ChatClient } from "@madang/client";

const [channelId, month] = process.argv.slice(2);
if (channelId === undefined || !/^\d{4}-\d{2}$/.test(month ?? "")) {
  throw new Error("Usage: node src/export-month.ts <channel id> <YYYY-MM>");
}

const lastDay = new Date(Date.UTC(Number(month?.slice(0, 4)), Number(month?.slice(5)), 0)).getUTCDate();
const pages = new ChatClient().exports
  .messages(channelId, {
    start_date: `${month}-01`,
    end_date: `${month}-${lastDay}`,
    timezone: "Asia/Seoul",
    pageSize: 1_000,
    prefetch: 1,
  })
  .pages();

let count = 0;
for await (const page of pages) {
  const lines = page.items.map((message) => `${JSON.stringify(message)}\n`).join("");
  if (!process.stdout.write(lines)) await once(process.stdout, "drain");
  count += page.items.length;
  process.stderr.write(
    `${count} messages of ${month}${page.nextCursor === undefined ? "" : ", continuing"}\n`,
  );
}
