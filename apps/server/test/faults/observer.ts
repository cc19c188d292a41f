import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// Runs in a separate thread, so that the attack's own work in the test does not delay the measurement.
const tookMs: number[] = [];
let isOver = false;
parentPort?.once("message", () => {
  isOver = true;
});
while (!isOver) {
  const startedAt = performance.now();
  const response = await fetch(`${workerData}/healthz`);
  if (response.status !== 200 || (await response.text()) === "")
    throw new Error(`healthz: ${response.status}`);
  tookMs.push(performance.now() - startedAt);
  await sleep(5);
}
parentPort?.postMessage(tookMs.toSorted((a, b) => a - b));
