import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { ChatClient, type ClientOptions, type Message } from "../src/index";
import { FakeService } from "../src/testing/index";

/** A channel with so many messages, exported in pages of 100. */
async function createChannel(messages: number, options: Partial<ClientOptions> = {}) {
  const service = new FakeService();
  const chat = new ChatClient({
    baseUrl: "http://fake.test",
    apiKey: service.apiKey,
    fetch: service.fetch,
    ...options,
  });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  for (let number = 0; number < messages; number++) {
    service.advance(1);
    await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: String(number) });
  }
  service.requests.length = 0;
  return { service, chat };
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
    const { service, chat } = await createChannel(1);
    const list = chat.exports.messages("room_1");
    list.pages();
    list[Symbol.asyncIterator]();
    list.toReadableStream();
    await new Promise((done) => setTimeout(done, 10));
    expect(service.requests).toHaveLength(0);
  });

  test("awaited, returns the first page with one request, even with prefetch", async () => {
    const { service, chat } = await createChannel(250);
    const first = await chat.exports.messages("room_1", { prefetch: 3 });
    expect(contents(first.items)).toEqual(newestFirst(250).slice(0, 100));
    expect(service.requests).toHaveLength(1);
    const rest = await chat.exports.messages("room_1", { cursor: first.nextCursor }).toArray();
    expect(contents(rest)).toEqual(newestFirst(250).slice(100));
  });

  test("reports its progress", async () => {
    const { service, chat } = await createChannel(250);
    const pages = await collect(chat.exports.messages("room_1", { timezone: "Asia/Seoul" }).pages());
    expect(pages.map(({ index, itemsSoFar }) => [index, itemsSoFar])).toEqual([
      [0, 100],
      [1, 200],
      [2, 250],
    ]);
    const last = service.now;
    expect(pages[1]?.reached).toEqual({ newest: last - 100, oldest: last - 199 });
    expect(pages.map(({ timezone }) => timezone)).toEqual(Array(3).fill("Asia/Seoul"));
  });

  test("ends after maxItems, without a further request", async () => {
    const { service, chat } = await createChannel(350);
    const pages = await collect(chat.exports.messages("room_1", { maxItems: 150, prefetch: 5 }).pages());
    expect(pages.flatMap(({ items }) => contents(items))).toEqual(newestFirst(350).slice(0, 150));
    expect(pages.at(-1)?.reached?.oldest).toBe(service.now - 149);
    expect(service.requests).toHaveLength(2);
  });

  test("as an array throws when there are more than max, and never truncates", async () => {
    const { chat } = await createChannel(150);
    const list = chat.exports.messages("room_1");
    expect(await list.toArray({ max: 150 })).toHaveLength(150);
    await expect(list.toArray({ max: 149 })).rejects.toMatchObject({ kind: "pagination" });
  });

  test("fetches ahead while the consumer works, and no further than prefetch", async () => {
    const { service, chat } = await createChannel(500);
    const ahead: number[] = [];
    for await (const page of chat.exports.messages("room_1", { prefetch: 2 }).pages()) {
      await new Promise((done) => setTimeout(done, 10));
      ahead.push(service.requests.length - page.index - 1);
    }
    expect(ahead).toEqual([2, 2, 2, 1, 0]);
  });

  test("rejects invalid options before anything is sent", async () => {
    const { service, chat } = await createChannel(1);
    for (const options of [{ prefetch: -1 }, { maxItems: 0 }, { maxItems: 1.5 }, { cursor: "sdk:x" }])
      await expect(chat.exports.messages("room_1", options).toArray()).rejects.toMatchObject({
        kind: "validation",
      });
    await expect(chat.exports.messages("room_1").forEach(() => {}, { concurrency: 0 })).rejects.toMatchObject(
      {
        kind: "validation",
      },
    );
    await expect(chat.exports.messages("room_1", { start_date: new Date("x") })).rejects.toMatchObject({
      kind: "validation",
    });
    expect(service.requests).toHaveLength(0);
  });
});

describe("the cursor of a page that maxItems cuts", () => {
  const resume = async (chat: ChatClient, maxItems: number, change: (run: number) => unknown = () => {}) => {
    const taken: number[] = [];
    let cursor: string | undefined;
    let runs = 0;
    do {
      for await (const page of chat.exports.messages("room_1", { cursor, maxItems }).pages()) {
        taken.push(...contents(page.items));
        cursor = page.nextCursor;
      }
      await change(runs++);
    } while (cursor !== undefined);
    return taken;
  };

  test.each([1, 7, 100, 101, 150])("continues behind the cut, %i items at a time", async (maxItems) => {
    const { chat } = await createChannel(maxItems === 1 ? 120 : 350);
    expect(await resume(chat, maxItems)).toEqual(newestFirst(maxItems === 1 ? 120 : 350));
  });

  test("loses and repeats nothing when messages arrive, even more than a page of them", async () => {
    const { service, chat } = await createChannel(250);
    const send = async (count: number) => {
      for (let index = 0; index < count; index++) {
        service.advance(1);
        await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "1000" });
      }
    };
    const taken = await resume(chat, 60, (run) => run < 2 && send(130));
    expect(taken).toEqual(newestFirst(250));
  });

  test("continues with the next item when the last one was deleted", async () => {
    const { service, chat } = await createChannel(0);
    for (let number = 10; number < 40; number++) {
      service.advance(1);
      await chat.users.create({ user_id: `user_${number}`, name: "Kim" });
    }
    const all = (await chat.users.list({ pageSize: 30, name: "Kim" }).toArray()).map(
      ({ user_id }) => user_id,
    );
    const [first] = await collect(chat.users.list({ maxItems: 10, name: "Kim" }).pages());
    await chat.users.delete(all[9] ?? "");
    const rest = await chat.users.list({ cursor: first?.nextCursor }).toArray();
    expect(rest.map(({ user_id }) => user_id)).toEqual(all.slice(10));
  });
});

describe("forEach", () => {
  test("processes at most `concurrency` items at a time, and calls onPage after the last item of a page", async () => {
    const { chat } = await createChannel(250);
    let running = 0;
    let max = 0;
    let done = 0;
    const pages: number[] = [];
    await chat.exports.messages("room_1").forEach(
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
    const { chat } = await createChannel(250);
    let begun = 0;
    let settled = 0;
    const run = chat.exports.messages("room_1").forEach(
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
  const { chat } = await createChannel(2_000);
  const taken: number[] = [];
  let checkpoint: string | undefined;
  let runs = 0;
  do {
    runs++;
    // One run: reads one page, saves its cursor, and ends while the next page is being fetched.
    for await (const page of chat.exports.messages("room_1", { cursor: checkpoint, prefetch: 1 }).pages()) {
      taken.push(...contents(page.items));
      checkpoint = page.nextCursor;
      break;
    }
  } while (checkpoint !== undefined);
  expect(runs).toBe(20);
  expect(taken).toEqual(newestFirst(2_000));
});

test("an error in the middle carries the cursor to continue with", async () => {
  const { service, chat } = await createChannel(300, { maxRetries: 0 });
  const taken: number[] = [];
  let resumeCursor: string | undefined;
  try {
    for await (const message of chat.exports.messages("room_1")) {
      taken.push(...contents([message]));
      if (taken.length === 200) service.failNext({ kind: "reset" });
    }
  } catch (error) {
    ({ resumeCursor } = error as { resumeCursor?: string });
  }
  const rest = await chat.exports.messages("room_1", { cursor: resumeCursor }).toArray();
  expect([...taken, ...contents(rest)]).toEqual(newestFirst(300));
});

describe("a stream", () => {
  test("fetches a page when its reader reaches it, not before", async () => {
    const { service, chat } = await createChannel(300);
    const reader = chat.exports.messages("room_1").toReadableStream().getReader();
    for (let item = 0; item < 100; item++) await reader.read();
    await new Promise((done) => setTimeout(done, 10));
    expect(service.requests).toHaveLength(1);
    await reader.read();
    expect(service.requests).toHaveLength(2);
    await reader.cancel();
  });

  test("of lines is JSON, one item per line", async () => {
    const { chat } = await createChannel(250);
    const text = await new Response(chat.exports.messages("room_1").toNdjson()).text();
    const messages = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(text.endsWith("\n")).toBe(true);
    expect(contents(messages)).toEqual(newestFirst(250));
  });

  test("that is cancelled aborts the request under way", async () => {
    const { service, chat } = await createChannel(1, { timeout: 600_000 });
    service.failNext({ kind: "stall" });
    const reader = chat.exports.messages("room_1").toNdjson().getReader();
    const read = reader.read();
    await new Promise((done) => setTimeout(done, 10));
    // A request that went on would outlast the test.
    await reader.cancel();
    await read;
  });

  test.each(["toReadableStream", "toNdjson"] as const)(
    "%s, cancelled between two reads, ends the iteration",
    async (stream) => {
      const { service, chat } = await createChannel(300);
      const { signal } = new AbortController();
      const reader = chat.exports.messages("room_1", { prefetch: 1 }, { signal })[stream]().getReader();
      await reader.read();
      expect(getEventListeners(signal, "abort")).not.toHaveLength(0);
      await reader.cancel();
      expect(getEventListeners(signal, "abort")).toHaveLength(0);
      await new Promise((done) => setTimeout(done, 10));
      expect(service.requests).toHaveLength(2);
    },
  );
});

test("a signal that lives as long as the program keeps no listeners", async () => {
  const { chat } = await createChannel(150);
  const { signal } = new AbortController();
  for (let call = 0; call < 500; call++) await chat.users.get("kim_01", { signal });
  await chat.exports.messages("room_1", { prefetch: 1 }, { signal }).toArray();
  for await (const _ of chat.exports.messages("room_1", { prefetch: 1 }, { signal })) break;
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
