import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median } from "../../results/statistics";
import { channelIdAt, userIdAt } from "../../servers/dataset";
import { createSubKey, type Testbed } from "../../servers/testbed";
import { messagesPerRequest } from "./import-rows";

export interface Turns {
  readonly title: string;
  /** Of the longest turn of each request. */
  readonly medianMs: number;
  readonly maxMs: number;
}

/** Each fills a request to just below 8 MB, and is slow to read in another way. */
const contents: Readonly<Record<string, string>> = {
  "Hangul, 3 bytes each": "김".repeat(5_500),
  "emoji, 4 bytes each": "😀".repeat(4_100),
  "escaped quotes": '"'.repeat(8_160),
  "é, 2 bytes each": "é".repeat(8_150),
};

/** The longest turns of the server's event loop while it handles one large request after another. */
export async function measureLargeBodies(testbed: Testbed, count: number): Promise<Turns[]> {
  await using resources = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "madang-turns-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "turn");
  const hook = new URL("./watch-turns.js", import.meta.url);
  hook.searchParams.set("file", file);
  const server = await testbed.startServer({ nodeFlags: ["--import", hook.href] });
  resources.defer(() => server.stop());
  const apiKey = await createSubKey(server.url);
  const readLongestMs = async () => {
    await rm(file, { force: true });
    process.kill(server.pid, "SIGUSR2");
    for (;;) {
      const text = await readFile(file, "utf8").catch(() => "");
      if (text !== "") return Number(text);
      await sleep(5);
    }
  };
  const turns: Turns[] = [];
  for (const [title, content] of Object.entries(contents)) {
    const longest: number[] = [];
    // In the first round, Node compiles hot code.
    for (let round = 0; round <= count; round += 1) {
      await readLongestMs();
      await importLarge(server.url, apiKey, content);
      const ms = await readLongestMs();
      if (round > 0) longest.push(ms);
    }
    turns.push({ title, medianMs: median(longest), maxMs: Math.max(...longest) });
  }
  return turns;
}

async function importLarge(url: string, apiKey: string, content: string): Promise<void> {
  const message = { user_id: userIdAt(1), type: "text", content, created_at: 1 };
  const response = await fetch(`${url}/v1/imports/group/channels/${channelIdAt(1)}/messages`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify({ messages: Array.from({ length: messagesPerRequest }, () => message) }),
  });
  if (response.status !== 200)
    throw new Error(`An import failed: ${response.status} ${await response.text()}`);
}
