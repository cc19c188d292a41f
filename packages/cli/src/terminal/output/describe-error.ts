import { isChatError } from "@madang/client";
import { CommanderError } from "commander";
import { CommandError, exitCodes, InterruptedError } from "../exit-codes";
import { toArgument, toPlainText } from "./plain-text";

/** What went wrong and what to do, or undefined if the user knows already. */
export function describeError(error: unknown): string | undefined {
  // The parser prints its own errors.
  if (error instanceof CommanderError || error instanceof InterruptedError) return undefined;
  if (error instanceof CommandError)
    return toPlainText(error.exitCode === exitCodes.interrupted ? error.message : `error: ${error.message}`);
  if (!isChatError(error)) return toPlainText(`error: ${messageOf(error)}`);
  const { detail, message, code, requestId, errors = [], resumeCursor } = error;
  const facts = [code, requestId && `request ${requestId}`].filter(Boolean).join(", ");
  const canResume = resumeCursor !== undefined && code !== "invalid_cursor";
  const lines = [
    `error: ${detail ?? message}${facts && ` (${facts})`}`,
    // `detail` has the first of the broken rules.
    ...errors.slice(1).map(({ path, message: rule }) => `  ${path}: ${rule}`),
    ...(canResume ? [`To continue where it stopped, add --cursor ${toArgument(resumeCursor)}`] : []),
  ];
  return lines.map(toPlainText).join("\n");
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
