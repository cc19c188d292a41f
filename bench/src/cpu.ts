import { readdirSync, readFileSync } from "node:fs";

/** The processor time that processes have used so far, in milliseconds. */
export interface CpuClock {
  readMs(): number;
}

// Linux counts processor time in hundredths of a second, whatever the kernel's own clock does.
const tickMs = 10;

/** Of one process alone. */
export const clockOf = (pid: number): CpuClock => ({
  readMs: () => {
    const [user = 0, system = 0] = timesOf(pid);
    return user + system;
  },
});

/** Of a process and all its children, also of those that have ended: PostgreSQL has one a connection. */
export const clockOfFamily = (pid: number): CpuClock => ({
  readMs: () => {
    const total = timesOf(pid).reduce((sum, time) => sum + time, 0);
    return childrenOf(pid).reduce((sum, child) => sum + clockOf(child).readMs(), total);
  },
});

/** User, system, and both of the children that ended; nothing where the system does not tell (no Linux). */
function timesOf(pid: number): number[] {
  return fieldsOf(pid)
    .slice(11, 15)
    .map((ticks) => Number(ticks) * tickMs);
}

function childrenOf(parent: number): number[] {
  return listProcesses().filter((pid) => Number(fieldsOf(pid)[1]) === parent);
}

function listProcesses(): number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** The fields behind the name, which is in brackets and may itself hold spaces: state, parent, … */
function fieldsOf(pid: number): string[] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "utf8");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return [];
  }
}
