/**
 * Whether a failure says that the database cannot answer now: no connection to be had, one that broke, a server that
 * starts or stops, or a statement that waited too long.
 */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  return (
    isRolledBack(thrown) ||
    isConnectionLost(thrown) ||
    isLockTimeout(thrown) ||
    matches(thrown, isUnavailable)
  );
}

/** Whether PostgreSQL certainly undid what was asked, and doing it again may well succeed. */
export function isRolledBack(thrown: unknown): boolean {
  return matches(thrown, ({ code }) => code === "40001" || code === "40P01");
}

/** Whether somebody else held a lock for longer than we wait. */
export function isLockTimeout(thrown: unknown): boolean {
  return matches(thrown, ({ code }) => code === "55P03");
}

/** Whether the connection is gone, or silent for so long that it counts as gone. What it was asked may be done or not. */
export function isConnectionLost(thrown: unknown): thrown is Error {
  return matches(thrown, ({ code, message }) => {
    if (lostStates.has(code) || code.startsWith("08")) return true;
    return brokenConnections.some((beginning) => message.startsWith(beginning));
  });
}

interface Fault {
  readonly code: string;
  readonly message: string;
}

function matches(thrown: unknown, rule: (fault: Fault) => boolean): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  if (rule({ code, message: thrown.message })) return true;
  return thrown.cause !== thrown && matches(thrown.cause, rule);
}

function isUnavailable({ code, message }: Fault): boolean {
  if (unavailableStates.has(code) || code.startsWith("53")) return true;
  return noConnection.some((beginning) => message.startsWith(beginning));
}

const lostStates = new Set([
  "ECONNRESET",
  "EPIPE",
  // PostgreSQL: ended by an administrator, crashed, idle too long in a transaction.
  "57P01",
  "57P02",
  "25P03",
]);

const unavailableStates = new Set([
  "ECONNREFUSED",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  // PostgreSQL: cannot connect now, and a statement that was cancelled or ran too long.
  "57P03",
  "57014",
  // Prisma: cannot reach the server, timed out, connection closed, no connection free in time.
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
]);

// The driver and its pool throw these without a code.
const brokenConnections = [
  "Connection terminated",
  "Client has encountered a connection error",
  "Query read timeout",
];
const noConnection = [
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Cannot use a pool after calling end",
];
