import cluster from "node:cluster";
import { CommanderError } from "commander";
import { SettingError } from "./errors/service-error";
import { describeWithCauses } from "./errors/thrown";
import { createProgram } from "./process/program";

createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    // `--help` and `--version` end the command too.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const isUsage = error instanceof CommanderError || error instanceof SettingError;
    process.stderr.write(`madang-server: ${describe(error)}\n`);
    process.exitCode = isUsage ? 2 : 1;
    // The channel to the parent process keeps a worker alive, and without it `node:cluster` would end the worker with 0.
    if (cluster.isWorker) process.exit();
  });

function describe(error: unknown): string {
  if (error instanceof CommanderError) return describeUsage(error);
  return error instanceof SettingError ? error.message : describeWithCauses(error);
}

function describeUsage({ code, message }: CommanderError): string {
  const text = code === "commander.help" ? "a command is required" : message.replace(/^error: |\.$/g, "");
  return `${text.replace("\n", " ")}. See madang-server --help.`;
}
