import { setTimeout as sleep } from "node:timers/promises";

// Runs in a process of its own, so that the attack's work does not delay the measurement.
const [, , url = "", options = "{}"] = process.argv;
const tookMs: number[] = [];
const failures: number[] = [];
let isOver = false;
process.once("message", () => {
  isOver = true;
});
// The first requests of a process also load its HTTP client.
for (let count = 0; count < 20; count++) await send();
failures.length = 0;
process.send?.("ready");
while (!isOver && process.connected) {
  const startedAt = performance.now();
  await send();
  tookMs.push(performance.now() - startedAt);
  await sleep(5);
}
process.send?.({ tookMs: tookMs.toSorted((a, b) => a - b), failures });
if (process.connected) process.disconnect();

async function send(): Promise<void> {
  const response = await fetch(url, JSON.parse(options));
  if (!response.ok || (await response.text()) === "") failures.push(response.status);
}
