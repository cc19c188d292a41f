import { setTimeout as wait } from "node:timers/promises";
import type { Fetch, FetchInit } from "@madang/client";

interface Rule {
  readonly pattern: RegExp;
  readonly act: (url: string, init: FetchInit) => Promise<Response | undefined>;
}

interface Held {
  /** Resolves when the first of them waits. */
  readonly arrived: Promise<void>;
  release(): void;
}

/** A `fetch` that can hold, fail and count requests, each named by its method and path. */
export class Gate {
  /** What was sent, e.g. `GET /v1/users/kim_01`. */
  readonly sent: string[] = [];
  readonly #rules = new Set<Rule>();
  readonly #open = new Set<AbortController>();

  readonly fetch: Fetch = async (url, init) => {
    const { pathname, search } = new URL(url);
    const name = `${init.method} ${pathname}${search}`;
    this.sent.push(name);
    for (const { pattern, act } of this.#rules) {
      if (!pattern.test(name)) continue;
      const response = await act(url, init);
      if (response) return response;
    }
    const connection = new AbortController();
    this.#open.add(connection);
    const signal = AbortSignal.any([init.signal, connection.signal]);
    return fetch(url, { ...init, signal } as RequestInit);
  };

  count(pattern: RegExp): number {
    return this.sent.filter((name) => pattern.test(name)).length;
  }

  /** These requests wait, before the service gets them, until they are released. */
  delay(pattern: RegExp): Held {
    return this.#wait(pattern, async () => undefined);
  }

  /** Responses to these requests wait, after the service has sent them, until they are released. */
  hold(pattern: RegExp): Held {
    return this.#wait(pattern, (url, init) => fetch(url, init as RequestInit));
  }

  /** Responses to these requests come so much later. */
  slow(pattern: RegExp, ms: number): void {
    this.#add(pattern, async (url, init) => {
      const response = await fetch(url, init as RequestInit);
      await wait(ms);
      return response;
    });
  }

  /** These requests get a problem, until the returned function is called. */
  reject(pattern: RegExp, status: number, code: string): () => void {
    return this.#add(pattern, async () =>
      Response.json(
        { type: "about:blank", title: "Error", status, detail: "It fails.", code, request_id: "req-1" },
        { status, headers: { "content-type": "application/problem+json" } },
      ),
    );
  }

  /** The service handles the next such request, and its response is lost. */
  loseResponse(pattern: RegExp): void {
    const remove = this.#add(pattern, async (url, init) => {
      remove();
      await fetch(url, init as RequestInit);
      throw new TypeError("fetch failed");
    });
  }

  /** Nothing reaches the service, and open streams break, until the returned function is called. */
  disconnect(): () => void {
    const connect = this.#add(/./, async () => {
      throw new TypeError("fetch failed");
    });
    for (const connection of this.#open) connection.abort(new TypeError("fetch failed"));
    this.#open.clear();
    return connect;
  }

  #wait(pattern: RegExp, send: Rule["act"]): Held {
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const remove = this.#add(pattern, async (url, init) => {
      const response = await send(url, init);
      arrived.resolve();
      await released.promise;
      return response;
    });
    return {
      arrived: arrived.promise,
      release() {
        remove();
        released.resolve();
      },
    };
  }

  #add(pattern: RegExp, act: Rule["act"]): () => void {
    const rule = { pattern, act };
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }
}
