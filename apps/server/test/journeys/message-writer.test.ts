import { setTimeout as sleep } from "node:timers/promises";
import {
  ChatClient,
  type Message,
  MessageEndedError,
  type MessageWriter,
  NotFoundError,
} from "@madang/client";
import { type Fault, FaultyFetch } from "@madang/client/testing";
import { afterAll, beforeEach, expect, test } from "vitest";
import { interruptMessages } from "../../src/modules/streaming/end-store";
import { chatWith } from "../support/chat";
import { checksOf } from "../support/checks";
import { masterKey, startServer } from "../support/server";

const server = await startServer();
const direct = chatWith(server);
let faulty: FaultyFetch;
/** The bodies of the appends that were sent, each attempt included. */
let appends: { index: number; content: string }[] = [];
const chat = new ChatClient({
  baseUrl: server.url,
  apiKey: masterKey,
  fetch: (url, init) => {
    if (url.endsWith("/append")) appends.push(JSON.parse(String(init.body)));
    return faulty.fetch(url, init);
  },
});
await direct.users.create({ user_id: "bot_01", name: "Bot" });
await direct.channels.create({ channel_id: "room_1", name: "Lunch", members: ["bot_01"] });
afterAll(() => server.close());
beforeEach(() => {
  appends = [];
  faulty = new FaultyFetch(globalThis.fetch);
});

const begin = (content?: string, client = chat) =>
  client.messages.stream("room_1", { user_id: "bot_01", type: "text", content });

const read = ({ messageId }: MessageWriter) => direct.messages.get("room_1", messageId);
const textOf = (message: Message) => (message.type === "file" ? undefined : message.content);

const stop = ({ messageId }: MessageWriter) =>
  direct.messages.finish("room_1", messageId, { state: "cancelled" });

async function* words(count: number) {
  for (let index = 0; index < count; index++) {
    await sleep(1);
    yield `${index} `;
  }
}

const whole = (count: number) => Array.from({ length: count }, (_, index) => `${index} `).join("");

test("what is written while a request runs goes into the next one", async () => {
  const writer = await begin("From ");
  faulty.failNext({ kind: "delay", ms: 200 });
  writer.append("Seoul ");
  await expect.poll(() => appends.length).toBe(1);
  for (const text of ["to ", "Busan", ""]) writer.append(text);
  const parts = [{ type: "route", km: 325 }];
  const message = await writer.finish({ parts });
  expect(appends).toEqual([
    { index: 0, content: "Seoul " },
    { index: 1, content: "to Busan" },
  ]);
  expect(message).toMatchObject({ content: "From Seoul to Busan", parts });
  expect(message).not.toHaveProperty("state");
  expect(writer.content).toBe("From Seoul to Busan");
});

test("a promise of append resolves when its text is stored", async () => {
  const writer = await begin();
  await writer.append("Noon?");
  expect(await read(writer)).toMatchObject({ content: "Noon?", state: "streaming", append_count: 1 });
  await writer.append(words(30));
  expect(textOf(await read(writer))).toBe(`Noon?${whole(30)}`);
  expect(appends.length).toBeLessThan(31);
});

test("a long text is split, and no character is cut", async () => {
  const writer = await begin();
  const text = `${"🍜".repeat(20_000)}!`;
  await writer.append(text);
  expect(appends.map(({ content }) => content.length)).toEqual([16_384, 16_384, 7_233]);
  expect(textOf(await writer.finish())).toBe(text);
});

test("half of a surrogate pair waits for the other half, and is replaced if there is none", async () => {
  const writer = await begin();
  const [high = "", low = ""] = "🍜".split("");
  await writer.append(`noodles ${high}`);
  expect(textOf(await read(writer))).toBe("noodles ");
  await writer.append(`${low}, a lone ${low} and ${high}`);
  expect(textOf(await writer.finish())).toBe("noodles 🍜, a lone \ufffd and \ufffd");
});

test.each<[string, Fault]>([
  ["a connection that breaks before the append", { kind: "reset" }],
  ["a response that breaks off", { kind: "cut" }],
  ["a response that is late", { kind: "delay", ms: 100 }],
  ["an error that passes", { kind: "respond", status: 503, code: "unavailable", retryAfterSeconds: 0 }],
])("after %s, the text is stored once", async (_, fault) => {
  const writer = await begin();
  await writer.append("1 ");
  faulty.failNext(fault, fault);
  await writer.append("2 ");
  await writer.append("3");
  expect(textOf(await writer.finish())).toBe("1 2 3");
});

test("after an outage that is longer than the retries, the writer continues with the same append", async () => {
  const writer = await chat.messages.stream("room_1", { user_id: "bot_01", type: "text" }, { maxRetries: 0 });
  faulty.failNext({ kind: "cut" }, { kind: "reset" }, { kind: "cut" });
  await expect(writer.append("1 ")).rejects.toMatchObject({ kind: "connection", retryable: true });
  await expect(writer.append("2 ")).rejects.toMatchObject({ kind: "connection" });
  await expect(writer.append("3 ")).rejects.toMatchObject({ kind: "connection" });
  expect(writer.content).toBe("");
  expect(writer.signal.aborted).toBe(false);
  expect(textOf(await writer.finish())).toBe("1 2 3 ");
});

test("with faults at random, also longer than the retries, the text is whole and nothing is doubled", async () => {
  const faults: Fault[] = [{ kind: "reset" }, { kind: "cut" }, { kind: "cut" }, { kind: "delay", ms: 5 }];
  const client = new ChatClient({
    baseUrl: server.url,
    apiKey: masterKey,
    maxRetries: 1,
    maxDowntimeMs: 0,
    fetch: (url, init) => {
      const fault = url.endsWith("/append") ? faults[Math.floor(Math.random() * 8)] : undefined;
      if (fault) faulty.failNext(fault);
      return faulty.fetch(url, init);
    },
  });
  const writer = await begin("", client);
  let failures = 0;
  for (let index = 0; index < 100; index++) {
    const appended = writer.append(`${index} `);
    if (index % 2 === 0) await appended.catch(() => failures++);
  }
  for (let tries = 0; tries < 50 && writer.content !== whole(100); tries++)
    await writer.append("").catch(() => undefined);
  expect(failures).toBeGreaterThan(0);
  expect(textOf(await writer.finish())).toBe(whole(100));
});

test("when somebody stops the message, the writer says so, and what produces the text ends", async () => {
  const writer = await begin();
  let hasEnded = false;
  async function* model() {
    try {
      for (;;) {
        yield "word ";
        await sleep(5);
      }
    } finally {
      hasEnded = true;
    }
  }
  const written = writer.append(model());
  await expect.poll(() => writer.content.length).toBeGreaterThan(20);
  await stop(writer);
  const error = await written.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(MessageEndedError);
  expect(error).toMatchObject({
    ...{ name: "MessageEndedError", kind: "api", status: 409, code: "message_not_streaming" },
    current: { state: "cancelled", content: writer.content },
  });
  expect(hasEnded).toBe(true);
  expect(writer.signal.reason).toBe(error);
  await expect(writer.append("more")).rejects.toBe(error);
  await expect(writer.finish()).rejects.toBe(error);
});

test("an error of an append that nobody waits for is that of finish, and ends no process", async () => {
  const writer = await begin();
  await stop(writer);
  writer.append("lost");
  await sleep(200);
  await expect(writer.finish()).rejects.toBeInstanceOf(MessageEndedError);
});

test("a writer cancels its message, also when its own signal is the reason", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const writer = await chat.messages.stream("room_1", { user_id: "bot_01", type: "text" }, { signal });
  await writer.append("To be con");
  faulty.failNext({ kind: "stall" });
  const appended = writer.append("tinued");
  // The append takes effect before its response is lost.
  await expect.poll(async () => textOf(await read(writer))).toBe("To be continued");
  controller.abort();
  await expect(appended).rejects.toMatchObject({ kind: "abort" });
  expect(await writer.cancel()).toMatchObject({ state: "cancelled" });
  expect(textOf(await read(writer))).toBe("To be continued");
  await expect(writer.append("!")).rejects.toMatchObject({ kind: "abort" });
});

test("a message that is deleted ends its writer", async () => {
  const writer = await begin("Hello");
  await direct.messages.delete("room_1", writer.messageId);
  await expect(writer.append(" again")).rejects.toBeInstanceOf(NotFoundError);
  expect(writer.signal.aborted).toBe(true);
});

test("another process continues where the message ends; the text of the writer before is not overwritten", async () => {
  const before = await begin("The first ");
  await before.append("half, ");
  const writer = chat.messages.resume(await read(before));
  expect(writer.content).toBe("The first half, ");
  await writer.append("the second half.");
  await expect(before.append("Something else")).rejects.toMatchObject({ code: "append_out_of_order" });
  expect(textOf(await writer.finish())).toBe("The first half, the second half.");
  const cancelled: Message = {
    ...{
      message_id: before.messageId,
      channel_id: "room_1",
      content: "",
      meta: {},
      created_at: 1,
      updated_at: 1,
    },
    type: "system",
    state: "cancelled",
  };
  expect(() => chat.messages.resume(cancelled)).toThrow("Must have the state");
});

test("a message that was interrupted is completed by finish, also by another process", async () => {
  const writer = await begin("A tool ");
  await writer.append("took ");
  await interrupt();
  expect(await read(writer)).toMatchObject({ state: "interrupted", content: "A tool took " });
  await writer.append("its ");
  await writer.append("time");
  expect(textOf(await read(writer))).toBe("A tool took ");
  const next = chat.messages.resume(await read(writer));
  const message = await writer.finish({ parts: [{ type: "tool" }] });
  expect(message).toMatchObject({ content: "A tool took its time", parts: [{ type: "tool" }] });
  expect(message).not.toHaveProperty("state");
  // It has been completed meanwhile.
  await next.append("forever");
  await expect(next.finish()).rejects.toMatchObject({ code: "message_changed" });
});

test("a lost response before an interruption doubles nothing", async () => {
  const writer = await chat.messages.stream("room_1", { user_id: "bot_01", type: "text" }, { maxRetries: 0 });
  faulty.failNext({ kind: "cut" });
  await expect(writer.append("once ")).rejects.toMatchObject({ kind: "connection" });
  await interrupt();
  await writer.append("again");
  expect(textOf(await writer.finish())).toBe("once again");
});

test("chat.raw has the response of the beginning; the writer is the same", async () => {
  const { data: writer, meta } = await chat.raw.messages.stream("room_1", {
    user_id: "bot_01",
    type: "text",
  });
  expect(meta.status).toBe(201);
  await writer.append("Hello");
  expect(textOf(await writer.finish())).toBe("Hello");
});

/** Lets a minute without an append pass. */
async function interrupt(): Promise<void> {
  await server.db.query({
    name: "test.age-chunks",
    text: "UPDATE message_chunks SET created_at = created_at - 61000 RETURNING 1",
  });
  await interruptMessages(server.db, checksOf(server.db), Date.now());
}
