import { expect, test } from "vitest";
import { parseServerSentEvents } from "./server-sent-events";

const mebi = 1024 * 1024;

async function* repeat(chunk: string, count: number) {
  for (let index = 0; index < count; index++) yield chunk;
}

async function* concat(...parts: (string | AsyncIterable<string>)[]) {
  for (const part of parts) yield* typeof part === "string" ? [part] : part;
}

async function parse(chunks: AsyncIterable<string>) {
  const events = [];
  for await (const event of parseServerSentEvents(chunks, { operation: "events.listen" })) events.push(event);
  return events;
}

test("events are the same wherever the text is cut", async () => {
  const text = ": comment\r\nid: 1\r\ndata: a\r\ndata:b\r\n\r\nid: 2\n\ndata: 점심?\n\nid: 3\n";
  const expected = [
    { id: "1", data: "a\nb" },
    { id: "2", data: "" },
    { id: undefined, data: "점심?" },
  ];
  for (let cut = 0; cut <= text.length; cut++)
    expect(await parse(concat(text.slice(0, cut), text.slice(cut)))).toEqual(expected);
  expect(await parse(concat(...text))).toEqual(expected);
});

test.each([
  ["a line without an end", concat("data: ", repeat("x".repeat(1_000), 4_000))],
  ["an event without an end", repeat(`data: ${"x".repeat(1_000)}\n`, 4_000)],
  ["an event of empty lines without an end", repeat("data\n".repeat(1_000), 4_000)],
  ["a comment without an end", concat(": ", repeat("x".repeat(1_000), 4_000))],
  ["a long event in one chunk", concat(`data: ${"x".repeat(mebi)}\n\n`)],
])("%s is an error", async (_, chunks) => {
  await expect(parse(chunks)).rejects.toMatchObject({
    name: "ParseError",
    operation: "events.listen",
    message: "events.listen: the server sent an event of more than 1048576 characters.",
  });
});

// Searching the line again with each chunk would take minutes.
test("long events in small chunks take time in proportion to their length", { timeout: 60_000 }, async () => {
  const pieces = mebi / 4 - 2;
  const one = () => concat("data: ", repeat("xxxx", pieces), "\n", "\n");
  const events = await parse(concat(one(), one()));
  expect(events.map(({ data }) => data.length)).toEqual([pieces * 4, pieces * 4]);
});
