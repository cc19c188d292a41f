import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built server. */
export const program = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

export interface RunningProgram {
  readonly child: ChildProcess;
  /** The end of what it has printed, to both streams. */
  output(): string;
  /** Resolves with the match when the pattern has been printed. Rejects if the program ends before. */
  untilPrinted(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it has ended and all of its output was read. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  /** Sends the signal, unless it has ended, and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** The line with which a server starts to listen, with its URL. */
export const listening = /"url":"(\S+?)","msg":"listening"/;

/** Runs `madang-server` with these words in a process of its own. `command` is what runs the program. */
export function runProgram(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
  command: readonly string[] = [process.execPath],
): RunningProgram {
  const [file = "", ...rest] = [...command, program, ...words];
  const child = spawn(file, rest, {
    env: { PATH: process.env.PATH, PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => {
      output = (output + bytes).slice(-1_000_000);
    });
  // Both reject if the process cannot be started.
  const exited = once(child, "exit").then(([code]: (number | null)[]) => code ?? null);
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({ code: code ?? null, output }));
  return {
    child,
    output: () => output,
    untilPrinted: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(output);
          if (match !== null) resolve(match);
        };
        look();
        for (const stream of [child.stdout, child.stderr]) stream.on("data", look);
        void ended.then(() => reject(new Error(`The server ended before it printed ${pattern}:\n${output}`)));
      }),
    ended,
    end(signal) {
      child.kill(signal);
      return exited;
    },
  };
}
