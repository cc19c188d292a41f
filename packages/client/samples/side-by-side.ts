import { ChatClient } from "@madang/client";

const chat = new ChatClient();

/** Splits a range of days, both ends inclusive, into parts that do not overlap. */
function splitDateRange(
  start: string,
  end: string,
  parts: number,
): { start_date: string; end_date: string }[] {
  const dayMs = 86_400_000;
  const first = Date.parse(start) / dayMs;
  const days = Date.parse(end) / dayMs - first + 1;
  const format = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
  return Array.from({ length: Math.min(parts, days) }, (_, part) => ({
    start_date: format(first + Math.floor((part * days) / Math.min(parts, days))),
    end_date: format(first + Math.floor(((part + 1) * days) / Math.min(parts, days)) - 1),
  }));
}

const counts = await Promise.all(
  splitDateRange("2024-01-01", "2024-01-31", 4).map(async (days) => {
    let count = 0;
    for await (const _ of chat.exports.messages("lunch_01", { ...days, timezone: "Asia/Seoul" })) count++;
    return count;
  }),
);
console.log(counts);
