import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { createdId, pick } from "../operations/operation";
import { busyChannel, historyChannel, userIdAt } from "../servers/dataset";
import type { Target } from "../servers/target";

/** Makes a number of calls. */
export type Work = (count: number) => Promise<Done>;

export interface Done {
  /** How long each call took. */
  readonly durations: readonly number[];
  readonly failed: number;
}

const nothing: Done = { durations: [], failed: 0 };

/** The same work through the SDK and with `fetch`. */
export interface Works {
  readonly sdk: Work;
  readonly bare: Work;
}

const pageSize = 1_000;

export function createWork({ server, apiKey, settings }: Target) {
  const chat = new ChatClient({ baseUrl: server.url, apiKey });
  const authorization = `Bearer ${apiKey}`;
  const post = async (path: string, body: unknown) => {
    const headers = { authorization, "content-type": "application/json", "idempotency-key": randomUUID() };
    const response = await fetch(server.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const result: unknown = await response.json();
    if (response.status !== 201) throw new Error(`${response.status}: ${JSON.stringify(result)}`);
    return result;
  };
  let next = 0;
  const concurrent =
    (call: (n: number) => PromiseLike<unknown>): Work =>
    async (count) => {
      const durations: number[] = [];
      let failed = 0;
      const end = next + count;
      const callRepeatedly = async () => {
        while (next < end) {
          const startedAt = performance.now();
          await call(next++).then(undefined, () => {
            failed += 1;
          });
          durations.push(performance.now() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: settings.connections }, callRepeatedly));
      return { durations, failed };
    };
  const user = (n: number) => ({ user_id: createdId("sdk", n, "server"), name: `Kim ${n}` });
  const message = (n: number) =>
    ({ user_id: userIdAt(pick(n, 100)), type: "text", content: `See you at noon. ${n}` }) as const;

  const sends: Works = {
    sdk: concurrent((n) => chat.messages.send(busyChannel, message(n))),
    bare: concurrent((n) => post(`/v1/group/channels/${busyChannel}/messages`, message(n))),
  };
  const creates: Works = {
    sdk: concurrent((n) => chat.users.create(user(n))),
    bare: concurrent((n) => post("/v1/users", user(n))),
  };
  /** Reads pages one after another, and waits after each, as for a database. Only the SDK can prefetch meanwhile. */
  const pages = (prefetch: number, waitMs: number): Works => ({
    async sdk(count) {
      const iterator = chat.exports.messages(historyChannel, { pageSize, prefetch }).pages();
      let page = 0;
      for await (const { items } of iterator) {
        await consume(items, waitMs);
        page += 1;
        if (page === count) break;
      }
      return nothing;
    },
    async bare(count) {
      let query = `limit=${pageSize}`;
      for (let page = 0; page < count; page += 1) {
        const url = `${server.url}/v1/exports/group/channels/${historyChannel}/messages?${query}`;
        const response = await fetch(url, { headers: { authorization } });
        // The response of the contract.
        const { messages, next: cursor } = (await response.json()) as { messages: unknown[]; next?: string };
        await consume(messages, waitMs);
        query = `next=${cursor}`;
      }
      return nothing;
    },
  });
  return { sends, creates, pages };
}

async function consume(messages: readonly unknown[], waitMs: number): Promise<void> {
  if (messages.length !== pageSize) throw new Error(`A page has ${messages.length} messages.`);
  if (waitMs > 0) await sleep(waitMs);
}
