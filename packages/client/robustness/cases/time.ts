import { assert, type Case, failure, get, requests } from "../case";

/** Waits, timeouts and aborts. */
export const time: readonly Case[] = [
  {
    name: "Retry-After in seconds is honoured",
    async run(tools) {
      await get(tools.client("wait-a-second"));
      const [first, second] = await requests(tools, 2);
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      assert(waited >= 990 && waited < 3_000, `waited ${waited} ms`);
    },
  },
  {
    name: "Retry-After as a date is honoured",
    async run(tools) {
      await get(tools.client("wait-till-date"));
      const [first, second] = await requests(tools, 2);
      const waited = (second?.at ?? 0) - (first?.at ?? 0);
      assert(waited >= 950 && waited < 4_000, `waited ${waited} ms`);
    },
  },
  {
    name: "an abort immediately ends an attempt, a stalled body and a wait",
    async run(tools) {
      for (const script of ["silent", "stall", "wait-a-second"]) {
        const controller = new AbortController();
        setTimeout(() => controller.abort(), 100);
        const began = Date.now();
        await failure(tools.client(script).users.get("kim_01", { signal: controller.signal }), {
          kind: "abort",
        });
        assert(Date.now() - began < 10_000, `${script} took ${Date.now() - began} ms`);
      }
    },
  },
  {
    name: "an abort beforehand: nothing is sent",
    async run(tools) {
      await failure(tools.client("good").users.get("kim_01", { signal: AbortSignal.abort() }), {
        kind: "abort",
      });
      await requests(tools, 0);
    },
  },
  {
    name: "an abort ends a call whose fetch ignores its signal",
    async run(tools) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const chat = tools.client("good", { fetch: () => new Promise(() => {}) });
      await failure(chat.users.get("kim_01", { signal: controller.signal }), { kind: "abort" });
    },
  },
  {
    name: "the total timeout covers attempts and waits",
    async run(tools) {
      const began = Date.now();
      await failure(get(tools.client("stall", { totalTimeoutMs: 400, timeoutMs: 150, maxRetries: 50 })), {});
      assert(Date.now() - began < 5_000, `took ${Date.now() - began} ms`);
    },
  },
  {
    name: "the total timeout ends a wait: fails with the last error of the server",
    async run(tools) {
      const chat = tools.client("internal", { totalTimeoutMs: 1_900, maxRetries: 50 });
      const { random } = Math;
      // Each pause is as long as possible, so that the third lasts until the end of the call.
      Math.random = () => 1 - Number.EPSILON;
      try {
        await failure(get(chat), { status: 500, code: "internal", retryable: true, attempts: 3 });
      } finally {
        Math.random = random;
      }
    },
  },
  {
    name: "a wait that would last beyond totalTimeoutMs: fails immediately, with the error of the server",
    async run(tools) {
      const chat = tools.client("wait-a-second", { totalTimeoutMs: 900 });
      // No TimeoutError: the call did not wait until totalTimeoutMs had passed.
      await failure(get(chat), { status: 503, retryAfterMs: 1_000, attempts: 1 });
    },
  },
];
