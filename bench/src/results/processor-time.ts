import { readdirSync, readFileSync } from "node:fs";

/**
 * The processor time in milliseconds that a process and its descendants have used so far. NaN on systems other than
 * Linux.
 */
export function processorTimeMs(pid: number, otherwise = Number.NaN): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
    const ownMs = sum(threads.map((thread) => Number(read(`${thread}/schedstat`).split(" ")[0]) / 1e6));
    const children = threads.flatMap((thread) => read(`${thread}/children`).split(" ").filter(Boolean));
    // A child that ends at this moment is missing from this value, but not from the next.
    return ownMs + endedChildrenMs(pid) + sum(children.map((child) => processorTimeMs(Number(child), 0)));
  } catch {
    return otherwise;
  }
}

/** The same for several processes together. */
export const totalProcessorTimeMs = (pids: readonly number[]): number =>
  sum(pids.map((pid) => processorTimeMs(pid)));

/** The processor time in milliseconds that all programs of this machine have used so far. NaN on systems other than Linux. */
export function machineTimeMs(): number {
  try {
    const [line = ""] = read("/proc/stat").split("\n");
    const [, user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
      .split(/\s+/)
      .map(Number);
    return sum([user, nice, system, irq, softIrq, steal]) * 10;
  } catch {
    return Number.NaN;
  }
}

/** The resident memory of a process, in megabytes. */
export function residentMb(pid: number): number {
  const [, kilobytes = ""] = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) / 1_024;
}

/** `stat` counts in 10 ms: too coarse for running children, of which PostgreSQL has one per connection. */
function endedChildrenMs(pid: number): number {
  const line = read(`/proc/${pid}/stat`);
  // The name of the program is in parentheses and may contain spaces.
  const [user, system] = line
    .slice(line.lastIndexOf(")") + 2)
    .split(" ")
    .slice(13, 15);
  return (Number(user) + Number(system)) * 10;
}

const read = (path: string) => readFileSync(path, "utf8");
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
