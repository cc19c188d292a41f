import { readFile } from "node:fs/promises";
import { findFreePort } from "../support/ports";
import { listening, runProgram } from "../support/program";
import { masterKey } from "../support/server";

const established = "01";
/** As `npm start` and the image pass it. */
const nodeFlag = "--max-semi-space-size=16";
/** What a server logs when its machine is busy: statements and connections that take long. */
const slowMachine =
  /"slow statement"|timeout expired|timeout exceeded when trying to connect|due to connection timeout/;

export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** The output of the process. */
  output(): string;
  /** The warnings and errors that it logged, except those that a busy machine causes. */
  problems(): string[];
  /** Throws with the last output if the process has exited. */
  requireAlive(): void;
  /** Resolves with the exit code when the process ends by itself. */
  exitCode(): Promise<number | null>;
  /** Sends the signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Whether the connection from this client port is still open. */
  isConnected(clientPort: number): Promise<boolean>;
  /** The resident memory, in megabytes. */
  residentMegabytes(): Promise<number>;
  /** The largest resident memory so far, in megabytes. */
  peakMegabytes(): Promise<number>;
}

/** Starts the built server in its own process, on a migrated database. `wrapper` is a command that runs it. */
export async function startProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
  wrapper: readonly string[] = [],
): Promise<ServerProcess> {
  const env = {
    DATABASE_URL: databaseUrl,
    PORT: String(await findFreePort()),
    MADANG_MASTER_KEY: masterKey,
    LOG_LEVEL: "warn",
    ...settings,
  };
  const command = [...wrapper, process.execPath, nodeFlag];
  const { child, output, ended, end, untilPrinted } = runProgram(["start", ...options], env, command);
  const [, url = ""] = await untilPrinted(listening);
  const { pid } = child;
  if (pid === undefined) throw new Error("A running process has an id.");
  return {
    url,
    pid,
    output,
    problems: () =>
      output()
        .split("\n")
        .filter((line) => /"level":[456]0/.test(line) && !slowMachine.test(line)),
    requireAlive() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`The server exited unexpectedly:\n${output().slice(-3_000)}`);
    },
    exitCode: async () => (await ended).code,
    end,
    async isConnected(clientPort) {
      const hex = (port: number) => `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
      const table = await readFile(`/proc/${pid}/net/tcp`, "utf8");
      return table.split("\n").some((line) => {
        const [, local, remote, state] = line.trim().split(/\s+/);
        return (
          local?.endsWith(hex(Number(new URL(url).port))) &&
          remote?.endsWith(hex(clientPort)) &&
          state === established
        );
      });
    },
    residentMegabytes: () => readMegabytes(pid, "VmRSS"),
    peakMegabytes: () => readMegabytes(pid, "VmHWM"),
  };
}

async function readMegabytes(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1_024;
}

/** Starts a server again until it runs, as a supervisor does: on a busy machine, it may not get its connections in time. */
export async function superviseProcess(...start: Parameters<typeof startProcess>): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++)
    try {
      return await startProcess(...start);
    } catch (error) {
      if (attempt === maxStarts) throw error;
    }
}

const maxStarts = 10;
