import { spawn } from "node:child_process";
import { root, shell } from "./step.mjs";

/** Runs a program with the repository's Node, forwards signals, and exits with its code. */
export function startNode(args) {
  const child = spawn("node", args, { cwd: root, stdio: "inherit", shell });
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
  // npm sends a signal only to its shell, which exits without this process.
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 250).unref();
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? (signal === null ? 1 : 0);
  });
  return child;
}
