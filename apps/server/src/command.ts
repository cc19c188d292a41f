import { CommanderError } from "commander";
import { codeOf } from "./errors/code-of";
import { SettingError } from "./errors/service-error";
import { createProgram } from "./process/program";

createProgram()
  .parseAsync()
  .catch((error: unknown) => {
    // `--help` and `--version` end the command too.
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const isUsage = error instanceof CommanderError || error instanceof SettingError;
    process.stderr.write(`madang-server: ${describe(error)}\n`);
    process.exitCode = isUsage ? 2 : 1;
  });

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof CommanderError) return describeUsage(error);
  if (error instanceof SettingError) return error.message;
  const cause = error.cause instanceof Error ? ` ${describe(error.cause)}` : "";
  // When a connection to several addresses fails, Node's error has an empty message.
  return `${error.message || codeOf(error) || error.name}${cause}`;
}

function describeUsage({ code, message }: CommanderError): string {
  const text = code === "commander.help" ? "a command is required" : message.replace(/^error: |\.$/g, "");
  return `${text.replace("\n", " ")}. See madang-server --help.`;
}
