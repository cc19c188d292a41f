import { setTimeout as sleep } from "node:timers/promises";

// Runs in a process of its own, so that the attack's work does not delay the measurement.
const url = process.argv[2];
const tookMs: number[] = [];
let isOver = false;
process.once("message", () => {
  isOver = true;
});
// The first requests of a process also load its HTTP client.
for (let count = 0; count < 20; count++) await check();
process.send?.("ready");
while (!isOver && process.connected) {
  const startedAt = performance.now();
  await check();
  tookMs.push(performance.now() - startedAt);
  await sleep(5);
}
process.send?.(tookMs.toSorted((a, b) => a - b));
if (process.connected) process.disconnect();

async function check(): Promise<void> {
  const response = await fetch(`${url}/healthz`);
  if (response.status !== 200 || (await response.text()) === "")
    throw new Error(`healthz: ${response.status}`);
}
