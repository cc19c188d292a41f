import { setTimeout as wait } from "node:timers/promises";
import type { Fetch, FetchInit } from "@madang/client";
import type { Random } from "./random";

/** A `fetch` of a bad connection: requests and responses come late, get lost or are cut, and the service is unavailable at times. */
export class FaultyFetch {
  readonly #random: Random;
  readonly #streams = new Set<AbortController>();
  /** How many requests are on their way, without streams. */
  running = 0;
  /** Whether everything arrives. */
  isCalm = false;
  #isDown = false;

  constructor(random: Random) {
    this.#random = random;
  }

  readonly fetch: Fetch = async (url, init) => {
    if (new URL(url).pathname.endsWith("/events/stream")) return this.#openStream(url, init);
    this.running++;
    try {
      return await this.#send(url, init);
    } finally {
      this.running--;
    }
  };

  /** Ends the streams. */
  cut(): void {
    for (const stream of this.#streams) stream.abort(new TypeError("terminated"));
    this.#streams.clear();
  }

  /** Nothing arrives until `isDown` is false again. */
  set isDown(isDown: boolean) {
    this.#isDown = isDown;
    if (isDown) this.cut();
  }

  async #openStream(url: string, init: FetchInit): Promise<Response> {
    await this.#disturb();
    const stream = new AbortController();
    this.#streams.add(stream);
    const signal = AbortSignal.any([init.signal, stream.signal]);
    return fetch(url, { ...init, signal } as RequestInit);
  }

  async #send(url: string, init: FetchInit): Promise<Response> {
    const unavailable = await this.#disturb();
    if (unavailable) return unavailable;
    const response = await fetch(url, init as RequestInit);
    const text = await response.text();
    if (this.isCalm) return new Response(text, response);
    if (this.#random.chance(0.2)) await wait(this.#random.below(400));
    if (this.#random.chance(0.02)) await wait(2_500);
    if (this.#isDown || this.#random.chance(0.04)) throw new TypeError("fetch failed");
    if (this.#random.chance(0.03)) return new Response(cutBody(text), response);
    return new Response(text, response);
  }

  /** What happens to a request before the service has it. */
  async #disturb(): Promise<Response | undefined> {
    if (this.#isDown) throw new TypeError("fetch failed");
    if (this.isCalm) return undefined;
    if (this.#random.chance(0.3)) await wait(this.#random.below(120));
    if (this.#random.chance(0.04)) throw new TypeError("fetch failed");
    if (this.#random.chance(0.04))
      return Response.json(unavailable, { status: 503, headers: problemHeaders });
    return undefined;
  }
}

const problemHeaders = { "content-type": "application/problem+json" };
const unavailable = {
  type: "about:blank",
  title: "Unavailable",
  status: 503,
  detail: "Try again.",
  code: "unavailable",
  request_id: "req-1",
};

/** The first half of a body, and then an error. */
function cutBody(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text.slice(0, text.length / 2)));
      controller.error(new TypeError("terminated"));
    },
  });
}
