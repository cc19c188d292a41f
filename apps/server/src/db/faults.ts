import { codeOf } from "../errors/thrown";

/**
 * Whether an error means that the database is unavailable: no connection, a broken one, a server that is starting or
 * stopping, or a statement that waited too long.
 */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  return (
    isRolledBack(thrown) ||
    isConnectionLost(thrown) ||
    isLockTimeout(thrown) ||
    matches(thrown, isUnavailable)
  );
}

/** Whether PostgreSQL certainly rolled the work back, and a retry may succeed. */
export function isRolledBack(thrown: unknown): boolean {
  return isPlanOutdated(thrown) || matches(thrown, ({ code }) => code === "40001" || code === "40P01");
}

/**
 * Whether a prepared statement now returns columns of another type: "cached plan must not change result type". The code
 * is also that of every unsupported feature, and the message is localised, so the routine decides.
 */
export function isPlanOutdated(thrown: unknown): boolean {
  return matches(thrown, ({ code, routine }) => code === "0A000" && routine === "RevalidateCachedQuery");
}

/** Whether a row was inserted that exists. The statement had no effect. */
export function isUniqueViolation(thrown: unknown): boolean {
  return matches(thrown, ({ code }) => code === "23505");
}

/** Whether a schema of Citus is no longer on the node: its views say so, or are gone with its tables. The statement had no effect. */
export function isOnOtherNode(thrown: unknown): boolean {
  return matches(thrown, ({ code, message }) => code === "42P01" || message === otherNode);
}

export function isLockTimeout(thrown: unknown): boolean {
  return matches(thrown, ({ code }) => code === "55P03");
}

/** Whether a statement waited or took too long. Its node responds. */
export function isTimedOut(thrown: unknown): boolean {
  return isLockTimeout(thrown) || matches(thrown, ({ code }) => code === "57014");
}

/** Whether the connection broke, or was silent for so long that it counts as broken. The statement may have run or not. */
export function isConnectionLost(thrown: unknown): thrown is Error {
  return matches(thrown, ({ code, message }) => {
    if (lostStates.has(code) || code.startsWith("08")) return true;
    return brokenConnections.some((prefix) => message.startsWith(prefix));
  });
}

interface Fault {
  readonly code: string;
  readonly message: string;
  /** The function of PostgreSQL that reported the error. */
  readonly routine: unknown;
}

function matches(thrown: unknown, rule: (fault: Fault) => boolean): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown) ?? "";
  const routine = "routine" in thrown ? thrown.routine : undefined;
  if (rule({ code, message: thrown.message, routine })) return true;
  return thrown.cause !== thrown && matches(thrown.cause, rule);
}

function isUnavailable({ code, message, routine }: Fault): boolean {
  if (unavailableStates.has(code) || code.startsWith("53")) return true;
  // Also a Unix socket that does not exist while PostgreSQL restarts, or whose queue is full. Prisma keeps only the code and the message.
  if (code !== "" && message.includes(`connect ${code} `)) return true;
  if (code === "XX000" && lostNode.has(routine)) return true;
  return noConnection.some((prefix) => message.startsWith(prefix));
}

const lostStates = new Set([
  "ECONNRESET",
  "EPIPE",
  // PostgreSQL: terminated by an administrator, crashed, idle too long, idle too long in a transaction, which took too long.
  "57P01",
  "57P02",
  "57P05",
  "25P03",
  "25P04",
]);

const unavailableStates = new Set([
  "ECONNREFUSED",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // PostgreSQL: starting or stopping; statement cancelled or timed out.
  "57P03",
  "57014",
  // A replica that is not promoted yet: it accepts no writes.
  "25006",
  // Prisma: cannot reach the server, timed out, connection closed, no connection free in time.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
]);

/** Where Citus reports, as an internal error, that a node stopped. */
const lostNode = new Set<unknown>([
  "ReportResultError",
  "MarkRemoteTransactionFailed",
  "CheckRemoteTransactionsHealth",
]);

// The driver and its pool throw most of these, without a code.
const brokenConnections = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Query read timeout",
  // Citus: its node stops while a statement waits for another node.
  "postmaster was shut down",
];
/** What the views of a schema report after a move. */
export const otherNode = "The schema is on another node.";
const noConnection = [
  "timeout exceeded when trying to connect",
  "timeout expired",
  "The host is a standby",
  "Cannot use a pool after calling end",
];
