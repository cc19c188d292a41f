// `pnpm run leak`: what 100,000 calls under one signal leave behind in memory.
import { ChatClient } from "../dist/index.js";

const headers = new Headers({ "content-type": "application/json" });
const fetch = async () => ({ status: 200, headers, text: async () => '{"user_id":"kim_01"}' });
const chat = new ChatClient({ baseUrl: "http://127.0.0.1", apiKey: "key", fetch });
const { signal } = new AbortController();
const calls = 100_000;

await call(calls / 20);
const before = await measureHeap();
await call(calls);
const bytes = ((await measureHeap()) - before) / calls;
console.log(`Node ${process.versions.node}: ${bytes.toFixed(0)} bytes a call`);
process.exit(bytes < 30 ? 0 : 1);

async function call(count) {
  for (let index = 0; index < count; index++) {
    await chat.users.get("kim_01", { signal });
    // Weak references are let go of between turns of the event loop, and such a fetch never ends a turn.
    if (index % 50 === 0) await new Promise(setImmediate);
  }
}

async function measureHeap() {
  // What waits to be finalised is let go of only between two collections.
  for (let collection = 0; collection < 3; collection++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return process.memoryUsage().heapUsed;
}
