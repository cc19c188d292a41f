import { isChatError } from "@madang/client";
import { CommanderError } from "commander";

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error with a message for users. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line is incomplete or contradicts itself. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** Ctrl-C, also at a prompt. */
export class InterruptedError extends CommandError {
  constructor() {
    super("Interrupted.", exitCodes.interrupted);
  }
}

const ofStatus: Readonly<Record<number, ExitCode>> = {
  400: exitCodes.usage,
  401: exitCodes.notAllowed,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode;
  // --help and --version are errors with the exit code 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  if (!isChatError(error)) return exitCodes.failed;
  if (error.kind === "abort") return exitCodes.interrupted;
  if (error.kind === "validation") return exitCodes.usage;
  return ofStatus[error.status ?? 0] ?? exitCodes.failed;
}
