import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { connectTo } from "../../test/support/database";
import {
  isConnectionLost,
  isDatabaseUnavailable,
  isLockTimeout,
  isOnOtherNode,
  isRolledBack,
  otherNode,
} from "./faults";

const fault = (code: string, message = "Something.") => Object.assign(new Error(message), { code });
const kindsOf = (thrown: unknown) => ({
  isUnavailable: isDatabaseUnavailable(thrown),
  isUndone: isRolledBack(thrown),
  isLocked: isLockTimeout(thrown),
  isLost: isConnectionLost(thrown),
});
const none = { isUnavailable: false, isUndone: false, isLocked: false, isLost: false };

test.each(["40001", "40P01"])("%s means that PostgreSQL undid the transaction", (code) => {
  expect(kindsOf(fault(code))).toEqual({ ...none, isUnavailable: true, isUndone: true });
});

test("55P03 means that the wait for a lock took too long", () => {
  expect(kindsOf(fault("55P03"))).toEqual({ ...none, isUnavailable: true, isLocked: true });
});

test.each(["ECONNRESET", "EPIPE", "57P01", "57P02", "57P05", "25P03", "25P04", "08006", "08P01"])(
  "%s: the connection is lost",
  (code) => {
    expect(kindsOf(fault(code))).toEqual({ ...none, isUnavailable: true, isLost: true });
  },
);

test.each([
  "Connection terminated unexpectedly",
  "Client has encountered a connection error and is not queryable",
  "Query read timeout",
])("%s, without a code, means that the connection is lost", (message) => {
  expect(kindsOf(new Error(message))).toEqual({ ...none, isUnavailable: true, isLost: true });
  expect(kindsOf(new Error(`Error: ${message}`))).toEqual(none);
});

test.each([
  "ECONNREFUSED",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "57P03",
  "57014",
  "25006",
  "53300",
  "P1001",
  "P1002",
  "P1008",
  "P1017",
  "P2024",
])("%s means that the database is unavailable", (code) => {
  expect(kindsOf(fault(code))).toEqual({ ...none, isUnavailable: true });
});

test.each([
  "timeout exceeded when trying to connect",
  "timeout expired",
  "Cannot use a pool after calling end on the pool",
])("%s, without a code, means that the database is unavailable", (message) => {
  expect(kindsOf(new Error(message))).toEqual({ ...none, isUnavailable: true });
  expect(kindsOf(new Error(`Error: ${message}`))).toEqual(none);
});

test("a Unix socket that is not there, as while PostgreSQL restarts, means that the database is unavailable; a file does not", async () => {
  const db = connectTo("postgresql://madang:madang@%2Fnowhere/madang");
  const reads: (() => Promise<unknown>)[] = [
    () => db.query({ name: "test.one", text: "SELECT 1" }),
    () => db.prisma.webhook.findMany(),
  ];
  for (const read of reads) {
    const failure = await read().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "ENOENT" });
    expect(kindsOf(failure)).toEqual({ ...none, isUnavailable: true });
  }
  await db.close();
  const missing = await readFile("/nowhere/file").catch((error: unknown) => error);
  expect(kindsOf(missing)).toEqual(none);
});

test.each(["23505", "42601", "22P02", "", "0800", "P2002", "x08006", "x53300"])(
  "%j is not temporary",
  (code) => {
    const isLost = code.startsWith("08");
    expect(kindsOf(fault(code))).toEqual({ ...none, isUnavailable: isLost, isLost });
  },
);

test("an internal error is temporary if it is how Citus reports that a node stopped", () => {
  const reported = (routine: string) => Object.assign(fault("XX000"), { routine });
  expect(kindsOf(reported("ReportResultError"))).toEqual({ ...none, isUnavailable: true });
  expect(kindsOf(reported("MarkRemoteTransactionFailed"))).toEqual({ ...none, isUnavailable: true });
  expect(kindsOf(reported("errorMissingColumn"))).toEqual(none);
  const stopped = Object.assign(new Error("postmaster was shut down, exiting"), { code: "XX000" });
  expect(kindsOf(stopped)).toEqual({ ...none, isUnavailable: true, isLost: true });
});

test("the cause of an error counts, at any depth", () => {
  const wrapped = new Error("Prisma failed.", {
    cause: new Error("The driver failed.", { cause: fault("57P01") }),
  });
  expect(kindsOf(wrapped)).toEqual({ ...none, isUnavailable: true, isLost: true });
});

test("a circular cause, a numeric code and a value that is not an error are handled", () => {
  const circular: Error = new Error("Circular.");
  circular.cause = circular;
  expect(kindsOf(circular)).toEqual(none);
  expect(kindsOf(Object.assign(new Error("Number."), { code: 40001 }))).toEqual(none);
  for (const thrown of [undefined, null, "57P01", { code: "57P01", message: "" }])
    expect(kindsOf(thrown)).toEqual(none);
});

test("a schema is on another node: its views say so, or are gone", () => {
  expect(isOnOtherNode(fault("40001", otherNode))).toBe(true);
  expect(isOnOtherNode(fault("42P01", 'relation "channels" does not exist'))).toBe(true);
  expect(isOnOtherNode(fault("40001", "could not serialize access"))).toBe(false);
});
