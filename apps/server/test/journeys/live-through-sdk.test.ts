import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient, type Fetch } from "@madang/client";
import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { masterKey, startServer } from "../support/server";

const server = await startServer();
const chat = chatWith(server);
await chat.users.create({ user_id: "bot_01", name: "Bot" });
await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["bot_01"] });
afterAll(() => server.close());

/** A client whose streams break after some time, at any byte. */
function createBreakingClient(maxMs: number): ChatClient {
  const fetch: Fetch = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    if (!url.includes("/events/stream") || response.body === null) return response;
    const endsAt = performance.now() + Math.random() * maxMs;
    const breaking = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (performance.now() < endsAt) return controller.enqueue(chunk);
        controller.enqueue(chunk.slice(0, Math.random() * chunk.length));
        controller.error(new TypeError("terminated"));
      },
    });
    return new Response(response.body.pipeThrough(breaking), response);
  };
  return new ChatClient({ baseUrl: server.url, apiKey: masterKey, fetch });
}

/** Listens until the message ends, or until it leaves. Returns the text as it would be shown. */
async function follow(
  client: ChatClient,
  messageId: string,
  { leavesAfterMs, readsFirst }: { leavesAfterMs?: number; readsFirst: boolean },
): Promise<{ shown: string; events: number; hasLeft: boolean }> {
  const leaving = new AbortController();
  if (leavesAfterMs !== undefined) setTimeout(() => leaving.abort(), leavesAfterMs);
  const { next: after } = await client.events.list({ after: "latest" });
  const read = async () => {
    const message = await client.messages.get("room_1", messageId);
    return message.type === "file" ? "" : message.content;
  };
  let shown = readsFirst ? await read() : "";
  let events = 0;
  const listened = client.events.listen({ after, channel_id: "room_1", live: true, signal: leaving.signal });
  for await (const event of listened) {
    if (event.type === "message.appended" && event.data.message_id === messageId) {
      events += 1;
      // What is shown is a prefix of what there is, or newer than the event.
      if (event.content.length < shown.length) expect(shown.startsWith(event.content)).toBe(true);
      else expect(event.content.startsWith(shown)).toBe(true);
      shown += event.content.slice(shown.length);
    }
    if (event.type === "message.updated" && event.data.message_id === messageId) {
      leaving.abort();
      return { shown, events, hasLeft: false };
    }
    // Some read the message late, when events have arrived already.
    if (!readsFirst && events === 3) {
      const text = await read();
      if (text.length > shown.length) shown += text.slice(shown.length);
    }
  }
  return { shown, events, hasLeft: true };
}

test("listeners that join, leave and reconnect at any moment see the same text", async () => {
  const writer = await chat.messages.stream("room_1", { user_id: "bot_01", type: "text", content: "Once " });
  const texts = Array.from({ length: 300 }, (_, index) => `${index} ${"🍜".repeat(index % 3)}`);
  const whole = `Once ${texts.join("")}`;
  const listeners = Array.from({ length: 12 }, async (_, index) => {
    await sleep(Math.random() * 1_500);
    const isBreaking = index % 2 === 0;
    const client = isBreaking ? createBreakingClient(400) : chat;
    const leaves = index % 4 === 3 ? { leavesAfterMs: Math.random() * 1_000 } : {};
    const seen = await follow(client, writer.messageId, { ...leaves, readsFirst: index % 3 > 0 });
    return { ...seen, isComplete: !isBreaking && !seen.hasLeft };
  });
  for (const text of texts) {
    await writer.append(text);
    await sleep(Math.random() * 16);
  }
  // The last text reaches those who are connected before the end of the message. The others get it with the end.
  await sleep(3_000);
  await writer.finish();
  const seen = await Promise.all(listeners);
  for (const { shown, isComplete } of seen) {
    expect(whole.startsWith(shown)).toBe(true);
    if (isComplete) expect(shown).toBe(whole);
  }
  const countEvents = (isComplete: boolean) =>
    seen.filter((each) => each.isComplete === isComplete).reduce((sum, { events }) => sum + events, 0);
  expect([countEvents(true), countEvents(false)].every((count) => count > 50)).toBe(true);
});

test("a listener of all channels gets the texts of each message, and signals; without live it gets neither", async () => {
  await chat.channels.create({ channel_id: "room_2", name: "Tea", members: ["bot_01"] });
  const leaving = new AbortController();
  const { signal } = leaving;
  const { next: after } = await chat.events.list({ after: "latest" });
  let connected = 0;
  const onConnection = (isConnected: boolean) => void (isConnected && connected++);
  const signals: string[] = [];
  const texts = new Map<string, string>();
  const collect = async () => {
    for await (const event of chat.events.listen({ after, live: true, signal, onConnection })) {
      if (event.type === "signal") signals.push(`${event.channel_id} ${event.data.type}`);
      else if (event.type === "message.appended") texts.set(event.channel_id, event.content);
      else if (event.type === "message.created" && event.data.message?.type === "text")
        texts.set(event.channel_id, event.data.message.content);
    }
  };
  const feed: string[] = [];
  const collectFeed = async () => {
    for await (const { type } of chat.events.listen({ after, signal, onConnection })) feed.push(type);
  };
  const loops = [collect(), collectFeed()];
  await expect.poll(() => connected).toBeGreaterThanOrEqual(2);
  for (const room of ["room_1", "room_2"]) {
    await chat.signals.send(room, { user_id: "bot_01", type: "typing" });
    await expect.poll(() => signals).toContain(`${room} typing`);
    const writer = await chat.messages.stream(room, { user_id: "bot_01", type: "text", content: "A" });
    await writer.append("B");
    await expect.poll(() => texts.get(room)).toBe("AB");
    await writer.append("C");
    await expect.poll(() => texts.get(room)).toBe("ABC");
    await writer.finish();
  }
  const ofRoom = ["message.created", "message.updated"];
  await expect.poll(() => feed).toEqual([...ofRoom, ...ofRoom]);
  leaving.abort();
  await Promise.all(loops);
  expect(signals).toEqual(["room_1 typing", "room_2 typing"]);
});

test("a listener whose key may not read messages is told which scope it needs, and gets signals alone without it", async () => {
  const { key } = await chat.keys.create({ scopes: ["events.*"] });
  const listener = new ChatClient({ baseUrl: server.url, apiKey: key });
  const writer = await chat.messages.stream("room_1", { user_id: "bot_01", type: "text", content: "" });
  const { next: after } = await chat.events.list({ after: "latest" });
  const leaving = new AbortController();
  const first = (types: readonly ["message.appended"] | readonly ["signal"]) =>
    listener.events.listen({ after, live: true, types, signal: leaving.signal }).next();
  const sending = setInterval(() => {
    void writer.append("Hello ");
    void chat.signals.send("room_1", { user_id: "bot_01", type: "typing" }).catch(() => undefined);
  }, 200);
  try {
    await expect(first(["message.appended"])).rejects.toMatchObject({
      operation: "messages.get",
      code: "scope_missing",
      detail: expect.stringContaining("messages.get"),
    });
    await expect(first(["signal"])).resolves.toMatchObject({ value: { type: "signal" } });
  } finally {
    clearInterval(sending);
    leaving.abort();
    await writer.finish();
  }
});
