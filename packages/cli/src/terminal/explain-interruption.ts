import { isChatError } from "@madang/client";
import { CommandError, exitCodeOf, exitCodes } from "./exit-codes";
import { describeError, messageOf } from "./output/describe-error";

/** An error of a long command, with what happened and how to continue. One in the command itself stays as it is. */
export function explainInterruption(error: unknown, resume: string): unknown {
  const exitCode = exitCodeOf(error);
  if (exitCode === exitCodes.usage || exitCode === exitCodes.notFound) return error;
  return new CommandError(`${describe(error)} ${resume}`, exitCode);
}

function describe(error: unknown): string {
  const code: unknown = Object(error).code;
  if (code === "ENOSPC" || code === "EDQUOT") return "The disk is full. Free some space first.";
  if (code === "EACCES" || code === "EROFS" || code === "EPERM")
    return `The file system rejects the change: ${messageOf(error)}.`;
  if (!isChatError(error)) return sentence(messageOf(error));
  if (error.kind === "abort") return "Interrupted.";
  if (error.status === 401 || error.status === 403)
    return `The server rejects the API key: ${sentence(error.detail ?? error.message)} Replace the key first.`;
  if (error.kind === "connection" || error.kind === "timeout" || (error.status ?? 0) >= 500)
    return `The server does not respond (${error.operation ?? error.kind}, ${error.attempts ?? 1} attempts).`;
  return sentence((describeError(error) ?? messageOf(error)).replace(/^error: /, ""));
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);
