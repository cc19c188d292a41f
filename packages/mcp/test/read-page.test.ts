import { expect, test } from "vitest";
import { readPage } from "../src/read-page";
import type { Context } from "../src/tool";

test("too many events that arrive during a wait for the next ones are not lost", async () => {
  const large = "점".repeat(200);
  const all = Array.from({ length: 100 }, (_, index) => ({ event_id: `${index}`, content: large }));
  let hasArrived = false;
  // Places are numbers. As in the service, "latest" is the end of the feed when the request arrives.
  const request = async (_id: string, { query }: { query: Record<string, string | number | undefined> }) => {
    const start = query.after === "latest" ? (hasArrived ? all.length : 0) : Number(query.after);
    if (query.wait !== undefined) hasArrived = true;
    const events = hasArrived ? all.slice(start, start + Number(query.limit ?? 100)) : [];
    return { events, next: `${start + events.length}` };
  };
  const context = { chat: { request }, options: {}, format: "concise" } as unknown as Context;
  const page = await readPage(context, "events.list", { query: { after: "latest", wait: 20 } });
  const { events, next } = Object(page);
  expect(events.length).toBeGreaterThan(0);
  expect(events).toEqual(all.slice(0, events.length));
  expect(next).toBe(`${events.length}`);
});
