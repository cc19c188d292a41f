import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ChatClient } from "../client";
import type { Fetch } from "../platform";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const json = (body: unknown) => Response.json(body);
const eventOf = (event_id: string) => ({
  event_id,
  type: "user.created",
  created_at: 1,
  user_id: "kim_01",
  data: {},
});

test("behind a proxy that keeps a stream back, lists bring the events, and later a stream is tried again", async () => {
  let streams = 0;
  let lists = 0;
  const fetch: Fetch = async (url, { signal }) => {
    if (url.includes("/events/stream")) {
      streams++;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
    lists++;
    await new Promise((resolve) => setTimeout(resolve, 20_000));
    return json({ events: [eventOf(`evt_${lists}`)], next: `cursor_${lists}` });
  };
  const chat = new ChatClient({ baseUrl: "http://localhost", apiKey: "sk_1", fetch });
  const ended = new AbortController();
  const received: string[] = [];
  const listening = (async () => {
    for await (const { event_id } of chat.events.listen({ after: "latest", signal: ended.signal }))
      received.push(event_id);
  })();
  await vi.advanceTimersByTimeAsync(90_000);
  expect(received.length).toBeGreaterThan(1);
  expect(streams).toBe(1);
  await vi.advanceTimersByTimeAsync(360_000);
  expect(streams).toBe(2);
  expect(received).toEqual(Array.from(received, (_, index) => `evt_${index + 1}`));
  ended.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await listening;
});

test("while nothing can be reached, streams are tried, and not lists alone", async () => {
  const sent: string[] = [];
  const fetch: Fetch = async (url, { signal }) => {
    sent.push(url.includes("/events/stream") ? "stream" : "list");
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const chat = new ChatClient({ baseUrl: "http://localhost", apiKey: "sk_1", fetch });
  const ended = new AbortController();
  const listening = chat.events.listen({ after: "latest", signal: ended.signal }).next();
  await vi.advanceTimersByTimeAsync(300_000);
  expect(sent.slice(0, 4)).toEqual(["stream", "list", "stream", "list"]);
  ended.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await listening;
});
