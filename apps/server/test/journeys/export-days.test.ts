import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";
import { createUsers } from "../support/users";

let clock = Date.parse("2024-11-02T00:00:00Z");

const server = await startServer({ now: () => clock });
const chat = chatWith(server);
await createUsers(chat, ["night_owl"]);
await chat.channels.create({ channel_id: "long_day", name: "Long", members: ["night_owl"] });
// One message every half hour, over three days around the end of summer time in New York.
for (; clock < Date.parse("2024-11-05T12:00:00Z"); clock += 1_800_000)
  await chat.messages.send("long_day", {
    user_id: "night_owl",
    type: "text",
    content: new Date(clock).toISOString(),
  });
afterAll(() => server.close());

async function timesOf(range: {
  start_date?: string;
  end_date?: string;
  timezone?: string;
}): Promise<string[]> {
  const messages = await chat.exports.messages("long_day", range).toArray({ max: 1_000 });
  return messages.map(({ created_at }) => new Date(created_at).toISOString());
}

test("a day of 25 hours is exported completely, including the repeated hour", async () => {
  const times = await timesOf({
    start_date: "2024-11-03",
    end_date: "2024-11-03",
    timezone: "America/New_York",
  });
  expect(times).toHaveLength(50);
  expect(times.at(-1)).toBe("2024-11-03T04:00:00.000Z");
  expect(times[0]).toBe("2024-11-04T04:30:00.000Z");
});

test("the same day in another zone has other messages, and every page has the zone", async () => {
  const range = { start_date: "2024-11-03", end_date: "2024-11-04", timezone: "Asia/Seoul", pageSize: 100 };
  expect(await timesOf(range)).toHaveLength(96);
  const page = await chat.exports.messages("long_day", range).firstPage();
  expect(page.timezone).toBe("Asia/Seoul");
  expect(page.items.at(0)?.created_at).toBe(Date.parse("2024-11-04T14:30:00Z"));
});

test("an open range has no limit on that side, and consecutive ranges have no gap or overlap", async () => {
  const all = await timesOf({});
  const before = await timesOf({ end_date: "2024-11-03", timezone: "America/New_York" });
  const after = await timesOf({ start_date: "2024-11-04", timezone: "America/New_York" });
  expect([...after, ...before]).toEqual(all);
});
