import { setTimeout as sleep } from "node:timers/promises";
import { ChatClient } from "@madang/client";
import { type Ratio, summarize } from "./statistics";
import { bigRoom } from "./world";

/** Pages a second through the SDK, of those through bare `fetch`. */
export interface SdkRatio extends Ratio {
  readonly title: string;
  readonly target: number;
}

type Work = () => unknown;
type Walk = (url: string, key: string, pages: number, work: Work) => Promise<void>;

const workMs = 3;

/** What the consumer does with each page. Bare `fetch` asks for the next one when that is done, as a loop does. */
const consumers: readonly { title: string; target: number; prefetch: number; work: Work }[] = [
  {
    title: "export through the SDK, of the same through bare fetch",
    target: 0.9,
    prefetch: 0,
    work: () => undefined,
  },
  {
    title: `the same, ${workMs} ms of computing a page, two fetched ahead`,
    target: 1,
    prefetch: 2,
    work: compute,
  },
  {
    title: `the same, ${workMs} ms of waiting a page, as for a database, two fetched ahead`,
    target: 1,
    prefetch: 2,
    work: () => sleep(workMs),
  },
];

/** Exports the same pages of 1,000 through the SDK and through bare `fetch`, in turn. */
export async function measureSdk(
  url: string,
  key: string,
  { rounds, pages }: { rounds: number; pages: number },
): Promise<SdkRatio[]> {
  const timeOf = async (walk: Walk, work: Work) => {
    const startedAt = performance.now();
    await walk(url, key, pages, work);
    return performance.now() - startedAt;
  };
  const ratios = consumers.map((): number[] => []);
  // The first round only compiles.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, { prefetch, work }] of consumers.entries()) {
      const ratio = (await timeOf(walkBare, work)) / (await timeOf(walkSdk(prefetch), work));
      if (round > 0) ratios[index]?.push(ratio);
    }
  }
  return consumers.map(({ title, target }, index) => ({ title, target, ...summarize(ratios[index] ?? []) }));
}

const walkBare: Walk = async (url, key, pages, work) => {
  let query = "limit=1000";
  for (let page = 0; page < pages; page += 1) {
    const response = await fetch(`${url}/v1/exports/group/channels/${bigRoom}/messages?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    // The answer of the contract.
    const { messages, next } = (await response.json()) as { messages: unknown[]; next?: string };
    if (messages.length !== 1_000) throw new Error(`A page held ${messages.length} messages.`);
    await work();
    query = `next=${next}`;
  }
};

const walkSdk =
  (prefetch: number): Walk =>
  async (url, key, pages, work) => {
    const chat = new ChatClient({ baseUrl: url, apiKey: key });
    let count = 0;
    for await (const { items } of chat.exports.messages(bigRoom, { pageSize: 1_000, prefetch }).pages()) {
      if (items.length !== 1_000) throw new Error(`A page held ${items.length} messages.`);
      await work();
      count += 1;
      if (count === pages) return;
    }
  };

function compute(): void {
  const until = performance.now() + workMs;
  while (performance.now() < until);
}
