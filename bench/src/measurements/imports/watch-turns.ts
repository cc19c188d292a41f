import { writeFileSync } from "node:fs";

/*
 * Loaded into a server with `--import`. At SIGUSR2 it writes the longest turn of the event loop since the last one to a
 * file: in processor time of this thread, which other programs do not change.
 */

const file = new URL(import.meta.url).searchParams.get("file") ?? "";
let longestUs = 0;
let before = process.threadCpuUsage();

function measure(): void {
  const { user, system } = process.threadCpuUsage(before);
  longestUs = Math.max(longestUs, user + system);
  before = process.threadCpuUsage();
  setImmediate(measure);
}
measure();

process.on("SIGUSR2", () => {
  writeFileSync(file, String(longestUs / 1_000));
  longestUs = 0;
});
