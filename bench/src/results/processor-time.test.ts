import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { machineTimeMs, processorTimeMs } from "./processor-time";

const isLinux = process.platform === "linux";
const busyMs = 300;
/** Uses the processor time, prints a line and waits. */
const program = `while (process.cpuUsage().user < ${busyMs * 1_000}); console.log("done"); setInterval(() => {}, 1e6)`;

test.runIf(isLinux)("includes children, while they run and after they have ended", async () => {
  const before = processorTimeMs(process.pid);
  const machineBefore = machineTimeMs();
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "ignore"] });
  await once(child.stdout, "data");
  const ofChild = processorTimeMs(child.pid ?? 0);
  expect(ofChild).toBeGreaterThanOrEqual(busyMs * 0.9);
  // The machine counts in 10 ms.
  expect(machineTimeMs() - machineBefore).toBeGreaterThanOrEqual(busyMs / 2);
  const running = processorTimeMs(process.pid);
  expect(running - before).toBeGreaterThanOrEqual(ofChild * 0.9);
  child.kill();
  await once(child, "exit");
  expect(processorTimeMs(process.pid)).toBeGreaterThanOrEqual(running * 0.95);
});

test("a process that does not exist has no processor time", () => {
  expect(processorTimeMs(2 ** 30)).toBeNaN();
});
