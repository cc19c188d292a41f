import { getEventListeners } from "node:events";
import { ChatClient, type ClientOptions, type Message } from "@madang/client";
import { FaultyFetch } from "@madang/client/testing";
import { afterAll, describe, expect, test } from "vitest";
import { masterKey, startServer } from "../support/server";

let rooms = 0;
const server = await startServer();
afterAll(() => server.close());

const start = Date.UTC(2024, 0);

/** A channel with so many messages, exported in pages of 100, and the requests that a client of it sends. */
async function createChannel(messages: number, options: Partial<ClientOptions> = {}) {
  const room = `room_${++rooms}`;
  const kim = `kim_${rooms}`;
  const faulty = new FaultyFetch((url, init) => fetch(url, init));
  const requests: string[] = [];
  const chat = new ChatClient({
    baseUrl: server.url,
    apiKey: masterKey,
    fetch: faulty.fetch,
    onRequest: ({ url }) => requests.push(url),
    ...options,
  });
  await chat.users.create({ user_id: kim, name: kim });
  await chat.channels.create({ channel_id: room, name: "Lunch", members: [kim] });
  let last = 0;
  /** Messages whose contents count on, one millisecond apart. */
  const add = async (count: number) => {
    const numbers = Array.from({ length: count }, (_, index) => last + index);
    last += count;
    for (let from = 0; from < count; from += 500) {
      const batch = numbers.slice(from, from + 500).map((number) => ({
        ...{ user_id: kim, type: "text" as const, content: String(number), created_at: start + number },
      }));
      await chat.imports.messages(room, batch);
    }
  };
  await add(messages);
  requests.length = 0;
  return { chat, faulty, requests, room, kim, add };
}

async function collect<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

const contents = (messages: readonly Message[]) =>
  messages.map((message) => (message.type === "text" ? Number(message.content) : -1));
const newestFirst = (count: number) => Array.from({ length: count }, (_, index) => count - 1 - index);

describe("a list", () => {
  test("sends nothing before it is consumed", async () => {
    const { chat, requests, room } = await createChannel(1);
    const list = chat.exports.messages(room);
    list.pages();
    list[Symbol.asyncIterator]();
    list.toReadableStream();
    await new Promise((done) => setTimeout(done, 10));
    expect(requests).toHaveLength(0);
  });

  test("returns its first page with one request, even with prefetch", async () => {
    const { chat, requests, room } = await createChannel(250);
    const first = await chat.exports.messages(room, { prefetch: 1 }).firstPage();
    expect(contents(first.items)).toEqual(newestFirst(250).slice(0, 100));
    expect(requests).toHaveLength(1);
    const rest = await chat.exports.messages(room, { cursor: first.nextCursor }).toArray();
    expect(contents(rest)).toEqual(newestFirst(250).slice(100));
  });

  test("reports its progress", async () => {
    const { chat, room } = await createChannel(250);
    const pages = await collect(chat.exports.messages(room, { timezone: "Asia/Seoul" }).pages());
    expect(pages.map(({ index, itemsSoFar }) => [index, itemsSoFar])).toEqual([
      [0, 100],
      [1, 200],
      [2, 250],
    ]);
    expect(pages[1]?.reached).toEqual({ newest: start + 149, oldest: start + 50 });
    expect(pages.map(({ timezone }) => timezone)).toEqual(Array(3).fill("Asia/Seoul"));
  });

  test("ends after maxItems, without a further request", async () => {
    const { chat, requests, room } = await createChannel(350);
    const pages = await collect(chat.exports.messages(room, { maxItems: 150, prefetch: 1 }).pages());
    expect(pages.flatMap(({ items }) => contents(items))).toEqual(newestFirst(350).slice(0, 150));
    expect(pages.at(-1)?.reached?.oldest).toBe(start + 200);
    expect(requests).toHaveLength(2);
  });

  test("has a cursor behind maxItems only at the end of a page", async () => {
    const { chat, room } = await createChannel(350);
    const cursors = async (maxItems: number) =>
      (await collect(chat.exports.messages(room, { maxItems }).pages())).map(({ nextCursor }) => nextCursor);
    const [first, second] = await cursors(200);
    expect(await cursors(150)).toEqual([first, undefined]);
    const rest = await chat.exports.messages(room, { cursor: second }).toArray();
    expect(contents(rest)).toEqual(newestFirst(350).slice(200));
  });

  test("as an array throws when there are more than max, and never truncates", async () => {
    const { chat, room } = await createChannel(150);
    const list = chat.exports.messages(room);
    expect(await list.toArray({ max: 150 })).toHaveLength(150);
    await expect(list.toArray({ max: 149 })).rejects.toMatchObject({ kind: "pagination" });
  });

  test("fetches one page ahead while the consumer works", async () => {
    const { chat, requests, room } = await createChannel(500);
    const ahead = [1, 1, 1, 1, 0];
    for await (const { index } of chat.exports.messages(room, { prefetch: 1 }).pages())
      await expect.poll(() => requests.length - index - 1).toBe(ahead[index]);
    expect(requests).toHaveLength(5);
  });

  test("rejects invalid options before anything is sent", async () => {
    const { chat, requests, room } = await createChannel(1);
    for (const options of [{ prefetch: 2 }, { maxItems: 0 }, { maxItems: 1.5 }, { cursor: "sdk:x" }])
      await expect(chat.exports.messages(room, options).toArray()).rejects.toMatchObject({
        kind: "validation",
      });
    await expect(chat.exports.messages(room).forEach(() => {}, { concurrency: 0 })).rejects.toMatchObject({
      kind: "validation",
    });
    await expect(
      chat.exports.messages(room, { start_date: new Date("x") }).firstPage(),
    ).rejects.toMatchObject({
      kind: "validation",
    });
    expect(requests).toHaveLength(0);
  });
});

describe("forEach", () => {
  test("processes at most `concurrency` items at a time, and calls onPage after the last item of a page", async () => {
    const { chat, room } = await createChannel(250);
    let running = 0;
    let max = 0;
    let done = 0;
    const pages: number[] = [];
    await chat.exports.messages(room).forEach(
      async () => {
        max = Math.max(max, ++running);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        done++;
      },
      { concurrency: 8, onPage: () => pages.push(done) },
    );
    expect(max).toBe(8);
    expect(pages).toEqual([100, 200, 250]);
  });

  test("ends at the first error, after the running calls", async () => {
    const { chat, room } = await createChannel(250);
    let begun = 0;
    let settled = 0;
    const run = chat.exports.messages(room).forEach(
      async () => {
        if (++begun === 5) throw new Error("the fifth");
        await new Promise((resolve) => setTimeout(resolve, 5));
        settled++;
      },
      { concurrency: 3 },
    );
    await expect(run).rejects.toThrow("the fifth");
    expect(begun - settled).toBe(1);
    expect(begun).toBeLessThan(8);
  });
});

test("an export that is interrupted at every page and resumed loses and repeats nothing", {
  timeout: 120_000,
}, async () => {
  const { chat, room } = await createChannel(2_000);
  const taken: number[] = [];
  let checkpoint: string | undefined;
  let runs = 0;
  do {
    runs++;
    // One run: reads one page, saves its cursor, and ends while the next page is being fetched.
    for await (const page of chat.exports.messages(room, { cursor: checkpoint, prefetch: 1 }).pages()) {
      taken.push(...contents(page.items));
      checkpoint = page.nextCursor;
      break;
    }
  } while (checkpoint !== undefined);
  expect(runs).toBe(20);
  expect(taken).toEqual(newestFirst(2_000));
});

test("an error in the middle carries the cursor to continue with", async () => {
  const { chat, faulty, room } = await createChannel(300, { maxRetries: 0 });
  const taken: number[] = [];
  let resumeCursor: string | undefined;
  try {
    for await (const message of chat.exports.messages(room)) {
      taken.push(...contents([message]));
      if (taken.length === 200) faulty.failNext({ kind: "reset" });
    }
  } catch (error) {
    ({ resumeCursor } = error as { resumeCursor?: string });
  }
  const rest = await chat.exports.messages(room, { cursor: resumeCursor }).toArray();
  expect([...taken, ...contents(rest)]).toEqual(newestFirst(300));
});

describe("a stream", () => {
  test("fetches a page when its reader reaches it, not before", async () => {
    const { chat, requests, room } = await createChannel(300);
    const reader = chat.exports.messages(room).toReadableStream().getReader();
    for (let item = 0; item < 100; item++) await reader.read();
    await new Promise((done) => setTimeout(done, 10));
    expect(requests).toHaveLength(1);
    await reader.read();
    expect(requests).toHaveLength(2);
    await reader.cancel();
  });

  test("of lines is JSON, one item per line", async () => {
    const { chat, room } = await createChannel(250);
    const text = await new Response(chat.exports.messages(room).toNdjson()).text();
    const messages = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(text.endsWith("\n")).toBe(true);
    expect(contents(messages)).toEqual(newestFirst(250));
  });

  test("that is cancelled aborts the request under way", async () => {
    const { chat, faulty, room } = await createChannel(1, { timeoutMs: 600_000 });
    faulty.failNext({ kind: "stall" });
    const reader = chat.exports.messages(room).toNdjson().getReader();
    const read = reader.read();
    await new Promise((done) => setTimeout(done, 10));
    // A request that went on would outlast the test.
    await reader.cancel();
    await read;
  });

  test.each(["toReadableStream", "toNdjson"] as const)(
    "%s, cancelled between two reads, ends the iteration",
    async (stream) => {
      const { chat, requests, room } = await createChannel(300);
      const { signal } = new AbortController();
      const reader = chat.exports.messages(room, { prefetch: 1 }, { signal })[stream]().getReader();
      await reader.read();
      expect(getEventListeners(signal, "abort")).not.toHaveLength(0);
      await reader.cancel();
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      await new Promise((done) => setTimeout(done, 10));
      expect(requests).toHaveLength(2);
    },
  );
});

test("a signal that lives as long as the program keeps no listeners", async () => {
  const { chat, room, kim } = await createChannel(150);
  const { signal } = new AbortController();
  for (let call = 0; call < 500; call++) await chat.users.get(kim, { signal });
  await chat.exports.messages(room, { prefetch: 1 }, { signal }).toArray();
  for await (const _ of chat.exports.messages(room, { prefetch: 1 }, { signal })) break;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
