import { setImmediate } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { expect, onTestFinished, test } from "vitest";
import { ConversationWindow } from "./conversation-window";

test("however many messages arrive during a request, one more request shows them all, and one finds the end", async () => {
  const service = new Service(10);
  const window = await service.open();
  void window.follow(() => undefined);
  await service.settle();
  service.isHolding = true;
  service.send();
  await service.settle();
  for (let count = 0; count < 20; count++) service.send();
  await service.release();
  expect(service.lists).toEqual(["newest", "newer 10", "newer 10", "newer 11", "newer 31", "newer 31"]);
  expect(numbersOf(window)).toEqual(range(1, 31));
});

test("older and newer messages that are loaded at the same time leave no gap", async () => {
  const service = new Service(1_000);
  const window = await service.open();
  for (let page = 1; page < 8; page++) await window.loadOlder();
  expect(numbersOf(window)).toEqual(range(601, 1_000));
  for (let count = 0; count < 10; count++) service.send();
  service.isHolding = true;
  void window.loadNewer();
  void window.loadOlder();
  // The newest page would be dropped while what follows it is fetched.
  await service.release((list) => list.startsWith("older"));
  const shown = numbersOf(window);
  expect(shown).toEqual(range(shown[0] ?? 0, shown.at(-1) ?? 0));
  expect(window.state.get().hasNewer).toBe(shown.at(-1) !== 1_010);
  service.isHolding = false;
  while (window.state.get().hasNewer) await window.loadNewer();
  expect(numbersOf(window).at(-1)).toBe(1_010);
});

test("messages that arrive while the conversation is opened again are shown once, after the others", async () => {
  const service = new Service(1_000);
  const window = await service.open();
  for (let count = 0; count < 60; count++) service.send();
  service.isHolding = true;
  void window.open();
  await service.settle();
  service.send();
  void window.loadNewer();
  await service.release((list) => list === "newest");
  expect(numbersOf(window)).toEqual(range(1_011, 1_061));
});

test("older messages are fetched once, however often the reader scrolls meanwhile", async () => {
  const service = new Service(1_000);
  const window = await service.open();
  for (let count = 0; count < 5; count++) void window.loadOlder();
  await service.release();
  expect(service.lists).toEqual(["newest", "older 951"]);
  expect(numbersOf(window)).toEqual(range(901, 1_000));
});

test("newer messages are loaded to the end, also if they are large, so that their pages are short", async () => {
  const service = new Service(100);
  const window = await service.open();
  service.largestPage = 2;
  for (let count = 0; count < 5; count++) service.send();
  await window.loadNewer();
  expect(numbersOf(window)).toEqual(range(51, 105));
  expect(window.state.get().hasNewer).toBe(false);
});

test("messages that could not be loaded are an error until they are there", async () => {
  const service = new Service(200);
  const window = await service.open();
  service.failing = "older";
  await window.loadOlder();
  expect(window.state.get().loadErrors.older).toMatchObject({ code: "scope_missing" });
  service.send();
  await window.loadNewer();
  // What succeeds at one end says nothing about the other.
  expect(window.state.get().loadErrors.older).toBeDefined();
  service.failing = "newer";
  service.send();
  await window.loadNewer();
  expect(window.state.get().loadErrors.newer).toMatchObject({ code: "scope_missing" });
  service.failing = undefined;
  window.retry();
  await service.settle();
  expect(window.state.get().loadErrors).toEqual({});
  expect(numbersOf(window)).toEqual(range(101, 202));
});

test.each(["events_expired", "invalid_cursor"])(
  "after %s, the conversation is opened again and goes on",
  async (code) => {
    const service = new Service(10);
    const window = await service.open();
    service.streamError = { status: 410, code };
    void window.follow(() => undefined);
    await service.settle();
    service.send();
    await service.settle();
    expect(numbersOf(window)).toEqual(range(1, 11));
    expect(service.lists.filter((list) => list === "newest")).toHaveLength(2);
  },
);

test("another error of the events is shown, until the conversation follows them again", async () => {
  const service = new Service(10);
  const window = await service.open();
  service.streamError = { status: 403, code: "scope_missing" };
  void window.follow(() => undefined);
  await service.settle();
  expect(window.state.get().followError).toMatchObject({ code: "scope_missing" });
  void window.follow(() => undefined);
  service.send();
  await service.settle();
  expect(window.state.get()).toMatchObject({ followError: undefined });
  expect(numbersOf(window)).toEqual(range(1, 11));
});

const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const numbersOf = (window: ConversationWindow) =>
  window.state.get().messages?.map(({ message }) => Number(message.message_id.split("-")[1])) ?? [];

const encoder = new TextEncoder();

/** A channel with numbered messages, behind the `fetch` of the SDK. A response has what was there when the request arrived. */
class Service {
  #count: number;
  /** The lists that were requested: `newest`, or a direction and a number. */
  readonly lists: string[] = [];
  /** Whether responses wait for `release`. */
  isHolding = false;
  /** How many messages a page of newer ones has. */
  largestPage = 50;
  /** What the next stream of events is rejected with. */
  streamError: { status: number; code: string } | undefined;
  /** The direction whose lists are rejected. */
  failing: "older" | "newer" | undefined;
  #held: { list: string; respond: () => void }[] = [];
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(count: number) {
    this.#count = count;
  }

  send(): void {
    const message = toMessage(++this.#count);
    const { message_id } = message;
    const event = { type: "message.created", channel_id: "lunch_01", data: { message_id, message } };
    this.#stream?.enqueue(encoder.encode(`id: ${this.#count}\ndata: ${JSON.stringify(event)}\n\n`));
  }

  /** Sends the responses that wait, and those that wait because of them: first the ones to prefer. */
  async release(isPreferred: (list: string) => boolean = () => false): Promise<void> {
    for (await this.settle(); this.#held.length > 0; await this.settle()) {
      const index = this.#held.findIndex(({ list }) => isPreferred(list));
      for (const { respond } of this.#held.splice(Math.max(index, 0), 1)) respond();
    }
  }

  /** Waits until nothing happens without a response: nothing here takes time. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  }

  async open(): Promise<ConversationWindow> {
    const chat = new ChatClient({ baseUrl: "http://madang.test", apiKey: "sk_test", fetch: this.#fetch });
    const window = new ConversationWindow(chat, "lunch_01");
    onTestFinished(() => window.close());
    await window.open();
    return window;
  }

  readonly #fetch = async (url: string): Promise<Response> => {
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith("/stream")) return this.#openStream();
    if (pathname.endsWith("/events")) return Response.json({ events: [], next: "latest" });
    const list = searchParams.get("next") ?? "newest";
    if (this.failing !== undefined && list.startsWith(this.failing))
      return createProblem({ status: 403, code: "scope_missing" });
    const response = Response.json(this.#list(list));
    this.lists.push(list);
    if (this.isHolding) await new Promise<void>((respond) => this.#held.push({ list, respond }));
    return response;
  };

  #openStream(): Response {
    const { streamError } = this;
    this.streamError = undefined;
    if (streamError !== undefined) return createProblem(streamError);
    const start = (stream: ReadableStreamDefaultController<Uint8Array>) => {
      this.#stream = stream;
    };
    return new Response(new ReadableStream({ start }), { headers: { "content-type": "text/event-stream" } });
  }

  #list(list: string) {
    const [direction, text] = list.split(" ");
    const number = Number(text);
    const last =
      direction === "newer"
        ? Math.min(this.#count, number + this.largestPage)
        : direction === "older"
          ? number - 1
          : this.#count;
    const first = direction === "newer" ? number + 1 : Math.max(1, last - 49);
    return {
      messages: range(first, last).map(toMessage).reverse(),
      ...(first > 1 && { next: `older ${first}` }),
      newer: `newer ${last}`,
    };
  }
}

function createProblem({ status, code }: { status: number; code: string }): Response {
  const problem = {
    type: "about:blank",
    title: "Error",
    status,
    detail: "It fails.",
    code,
    request_id: "req-1",
  };
  return Response.json(problem, { status, headers: { "content-type": "application/problem+json" } });
}

function toMessage(number: number) {
  const id = `${1_700_000_000_000 + number}-${number}`;
  return { message_id: id, channel_id: "lunch_01", type: "system", content: `${number}`, created_at: number };
}
