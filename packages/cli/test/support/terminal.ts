import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";

const program = join(import.meta.dirname, "../../dist/main.js");

/** Whether this machine has the command that runs a program in a pseudo terminal. */
export const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** Runs the built command in a pseudo terminal of 80 columns, with a person who types. */
export function startInTerminal(args: readonly string[], env: NodeJS.ProcessEnv) {
  const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols 80 rows 24; ${command}`, "/dev/null"], {
    env: { PATH: process.env.PATH, TERM: "xterm-256color", ...env },
  });
  const chunks: string[] = [];
  const seen = () => chunks.join("");
  let changed = () => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    chunks.push(chunk);
    changed();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    seen,
    ended,
    type: (text: string) => void child.stdin.write(text),
    /** Waits until the text is on the screen. */
    waitFor: (text: string) =>
      new Promise<void>((resolve, reject) => {
        changed = () => seen().includes(text) && resolve();
        changed();
        ended.then(() => reject(new Error(`Without ${text}: ${seen()}`)));
      }),
  };
}
