import { setTimeout as wait } from "node:timers/promises";
import { ChatClient, type Fetch, type ListenTransport, ParseError } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { masterKey, startServer, type TestServer } from "../support/server";

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer();
  chat = chatWith(server);
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
});
afterAll(() => server.close());

const isStream = (url: string) => url.includes("/events/stream");

/** That of React Native: a response is there once it is complete, and has no body. */
const phoneFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init as RequestInit);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text: async () => text };
};

/** A stream without a body, although other responses have one. */
const unstreamedFetch: Fetch = async (url, init) => {
  const response = await fetch(url, init as RequestInit);
  if (!isStream(url)) return response;
  await response.body?.cancel();
  return { status: response.status, headers: response.headers, text: async () => "" };
};

/** Each fifth response is lost, and streams are soon cut. */
function unreliable(base: Fetch): Fetch {
  let count = 0;
  return async (url, init) => {
    const signal = isStream(url) ? AbortSignal.any([init.signal, AbortSignal.timeout(300)]) : init.signal;
    const response = await base(url, { ...init, signal });
    if (++count % 5 === 0) throw new TypeError("fetch failed");
    return response;
  };
}

const cases: [name: string, fetch: Fetch, transport: ListenTransport | undefined, used: string[]][] = [
  ["a stream", fetch as Fetch, undefined, ["stream"]],
  ["lists, if they are asked for", fetch as Fetch, "poll", ["poll"]],
  ["lists, on a phone", phoneFetch, undefined, ["poll"]],
  ["lists, after a stream that cannot be read", unstreamedFetch, undefined, ["stream", "poll"]],
];

test.each(cases)("events arrive once and in order by %s", async (_, base, transport, used) => {
  const client = new ChatClient({ baseUrl: server.url, apiKey: masterKey, fetch: unreliable(base) });
  // A response says what this `fetch` can do.
  const { next: after } = await client.events.list({ after: "latest" });
  const ended = new AbortController();
  const transports = new Set<string>();
  const received: { readonly content: string; readonly cursor: string }[] = [];
  const listening = (async () => {
    const events = client.events.listen({
      after,
      live: true,
      types: ["message.created", "signal"],
      transport,
      signal: ended.signal,
      onConnection: (isConnected, name) => isConnected && transports.add(name),
    });
    for await (const event of events) {
      if (!("cursor" in event) || event.type !== "message.created") continue;
      const { message } = event.data;
      received.push({ content: message?.type === "text" ? message.content : "", cursor: event.cursor });
    }
  })();
  const expected = Array.from({ length: 60 }, (_, index) => `message ${index}`);
  for (const [index, content] of expected.entries()) {
    await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content });
    if (index % 3 === 0) await wait(30);
  }
  await expect.poll(() => received.map(({ content }) => content)).toEqual(expected);
  ended.abort();
  await listening;
  expect([...transports]).toEqual(expect.arrayContaining(used.slice(-1)));
  expect(used).toEqual(expect.arrayContaining([...transports]));
  const rest = await chat.events.list({ after: received.at(-1)?.cursor, types: ["message.created"] });
  expect(rest.events).toEqual([]);
});

test("from the oldest event, lists have a cursor for each event to continue at", async () => {
  const ended = new AbortController();
  const [first] = (await chat.events.list({ pageSize: 1 })).events;
  for await (const { event_id, cursor } of chat.events.listen({ transport: "poll", signal: ended.signal })) {
    expect(event_id).toBe(first?.event_id);
    expect((await chat.events.list({ after: cursor, pageSize: 1 })).events[0]?.event_id).not.toBe(event_id);
    ended.abort();
  }
});

test("a stream that is asked for fails where it cannot be read, and says what to do", async () => {
  const client = new ChatClient({ baseUrl: server.url, apiKey: masterKey, fetch: unstreamedFetch });
  const listening = client.events.listen({ after: "latest", transport: "stream" }).next();
  await expect(listening).rejects.toThrow(ParseError);
  await expect(client.events.listen({ after: "latest", transport: "stream" }).next()).rejects.toThrow(
    'Use `transport: "poll"`.',
  );
  await expect(chat.events.listen({ transport: "http" as "poll" }).next()).rejects.toThrow(
    "Must be `auto`, `stream` or `poll`.",
  );
});
