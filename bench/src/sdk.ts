import { ChatClient } from "@madang/client";
import { median } from "./statistics";
import { bigRoom } from "./world";

export interface SdkRatios {
  /** Pages a second through the SDK, of those through bare `fetch`. */
  readonly plain: number;
  /** The same when each page is worked on for a while, and the SDK fetches ahead. */
  readonly ahead: number;
}

type Walk = (url: string, key: string, pages: number, work: () => void) => Promise<void>;

const workMs = 3;

/** Exports the same pages of 1,000 through the SDK and through bare `fetch`, in turn. */
export async function measureSdk(
  url: string,
  key: string,
  { rounds, pages }: { rounds: number; pages: number },
): Promise<SdkRatios> {
  const rest = () => undefined;
  await measurePair(url, key, pages, [walkBare, walkSdk(0)], rest);
  const plain: number[] = [];
  const ahead: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await measurePair(url, key, pages, [walkBare, walkSdk(0)], rest));
    ahead.push(await measurePair(url, key, pages, [walkBare, walkSdk(2)], keepBusy));
  }
  return { plain: median(plain), ahead: median(ahead) };
}

async function measurePair(
  url: string,
  key: string,
  pages: number,
  [bare, sdk]: readonly [Walk, Walk],
  work: () => void,
): Promise<number> {
  const timeOf = async (walk: Walk) => {
    const startedAt = performance.now();
    await walk(url, key, pages, work);
    return performance.now() - startedAt;
  };
  return (await timeOf(bare)) / (await timeOf(sdk));
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
    work();
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
      work();
      count += 1;
      if (count === pages) return;
    }
  };

function keepBusy(): void {
  const until = performance.now() + workMs;
  while (performance.now() < until);
}
