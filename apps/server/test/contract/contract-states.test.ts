import { connect } from "node:net";
import { errorCodesOf, type OperationId, operations } from "@madang/contract";
import {
  type Interaction,
  type Response,
  requireAccepted,
  serverStateProblems,
} from "@madang/contract-tests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, send } from "../support/call";
import { signIn } from "../support/console";
import { createDatabase } from "../support/database";
import { normalize, replay } from "../support/replay";
import { startServer, startServerOn, type TestServer } from "../support/server";
import type { Created } from "../support/world";

const database = await createDatabase();
let healthy: TestServer;
let shortTimeoutServer: TestServer;
let limited: TestServer;
let broken: TestServer;
let disconnected: TestServer;
/** What accepted requests name: a sub key and a cursor of each database. */
let created: Created;
let createdInBroken: Created;
let cookie: string;
beforeAll(async () => {
  healthy = await startServerOn(database.url);
  created = await createNamed(healthy.url);
  cookie = await signIn(healthy.url);
  limited = await startServerOn(database.url, {
    settings: { MADANG_RATE_LIMIT: "1/3600s" },
  });
  await call(limited.url, "GET", "/v1/users");
  shortTimeoutServer = await startServerOn(database.url, { timeouts: shortTimeouts });
  broken = await startServer();
  createdInBroken = await createNamed(broken.url);
  const lost = [
    "users",
    "channels",
    "sub_keys",
    "events",
    "webhooks",
    "filters",
    "hooks",
    "devices",
    "reports",
    "audit_entries",
    "usage_days",
    "erasures",
    "erased_users",
  ];
  for (const table of lost)
    await broken.db.query({
      name: `test.lose-${table}`,
      text: `ALTER TABLE ${table} RENAME TO lost_${table}`,
    });
  disconnected = await startServerOn(database.url);
  await disconnected.db.close();
});
afterAll(async () => {
  await healthy.close();
  await limited.close();
  await shortTimeoutServer.close();
  await broken.close();
  // Its database connections are already closed.
  await disconnected.close().catch(() => undefined);
  await database.drop();
});

async function createNamed(url: string): Promise<Created> {
  const { key } = (await call(url, "POST", "/v1/applications/keys")).body;
  return { subKeys: [key], next: (await call(url, "GET", "/v1/events?after=latest")).body.next };
}

/** Sends a valid request to a server in a state that makes it fail. */
const states = {
  cross_origin_request: ({ operation, request }: Sent) =>
    send(healthy.url, operation, { params: request?.params ?? {}, headers: { cookie } }),
  request_timeout: ({ operation }: Sent) => sendSlowly(shortTimeoutServer.url, operation),
  rate_limited: (accepted: Sent) => replay(limited.url, accepted, created),
  internal: (accepted: Sent) => replay(broken.url, accepted, createdInBroken),
  unavailable: (accepted: Sent) => replay(disconnected.url, accepted, created),
  idempotency_key_reused: async (accepted: Sent) => {
    const idempotencyKey = `key-of-${accepted.operation}`;
    const { status } = await call(healthy.url, "POST", "/v1/users", {
      idempotencyKey,
      body: { user_id: accepted.operation.toLowerCase().replaceAll(".", "_"), name: "Kim" },
    });
    expect(status).toBe(201);
    const headers = { "idempotency-key": idempotencyKey };
    return replay(healthy.url, { ...accepted, request: { ...accepted.request, headers } }, created);
  },
} satisfies Record<keyof typeof serverStateProblems, (accepted: Sent) => ReturnType<typeof replay>>;

const shortTimeouts = {
  headersTimeout: 200,
  requestTimeout: 200,
  keepAliveTimeout: 5_000,
  timeout: 5_000,
  connectionsCheckingInterval: 50,
};

/** Sends a request without the end of its headers, and returns the response. */
async function sendSlowly(url: string, operation: OperationId): Promise<Response> {
  const route = operations.find(({ id }) => id === operation)?.route;
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write(`${route?.method} ${route?.path} HTTP/1.1\r\nHost: x\r\n`);
  let received = "";
  for await (const chunk of socket) received += chunk;
  const [head = "", body = ""] = received.split("\r\n\r\n");
  const [status = "", ...headers] = head.split("\r\n");
  return {
    status: Number(status.split(" ")[1]),
    headers: Object.fromEntries(headers.map((line) => line.toLowerCase().split(": "))),
    body: JSON.parse(body),
  };
}

/** They depend on nothing of an operation but its method: the first one with each method stands for all. */
const ofMethods = ["request_timeout", "cross_origin_request", "rate_limited", "idempotency_key_reused"];
const representatives = [...Map.groupBy(operations, ({ route }) => route.method).values()].map(
  ([first]) => first,
);

/** With the master key, they read and write nothing. */
const withoutDatabase: readonly OperationId[] = ["filters.try", "push.settings"];

type Sent = Interaction & { operation: OperationId };

describe.each(operations.filter(({ id }) => !withoutDatabase.includes(id)))("$id", (operation) => {
  const declared = errorCodesOf(operation);
  const isTried = (code: string) =>
    declared.some((known) => known === code) &&
    (representatives.includes(operation) || !ofMethods.includes(code));
  test.each(Object.entries(states).filter(([code]) => isTried(code)))("%s", async (code, sendTo) => {
    // Object.entries widens the keys to string.
    const expected = serverStateProblems[code as keyof typeof states];
    const accepted = { ...requireAccepted(operation.id), operation: operation.id };
    // The response to the master key needs no database.
    const isOfDatabase = operation.access === "any_scope" && (code === "internal" || code === "unavailable");
    const withSubKey = { ...accepted, request: { ...accepted.request, key: "sub" } } as const;
    const response = await sendTo(isOfDatabase ? withSubKey : accepted);
    expect(normalize(response, expected)).toStrictEqual(expected);
    if (code === "rate_limited") expect(response.headers?.["retry-after"]).toMatch(/^\d+$/);
  });
});
