// `pnpm run leak`: how much memory 100,000 calls with one signal leave behind.
import { ChatClient } from "../dist/index.js";

const headers = new Headers({ "content-type": "application/json" });
const user = '{"user_id":"kim_01","name":"Kim","meta":{},"created_at":1,"updated_at":2}';
const fetch = async () => ({ status: 200, headers, text: async () => user });
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
    // Weak references are released between turns of the event loop, which this fetch never ends.
    if (index % 50 === 0) await new Promise(setImmediate);
  }
}

async function measureHeap() {
  // Objects with finalizers are released only between two collections.
  for (let collection = 0; collection < 3; collection++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return process.memoryUsage().heapUsed;
}
