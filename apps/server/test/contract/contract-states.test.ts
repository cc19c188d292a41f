import { connect } from "node:net";
import { type OperationId, operations } from "@madang/contract";
import { type Interaction, type Response, requireAccepted, stateRefusals } from "@madang/contract-tests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCredentialLimit } from "../../src/http/rate-limits/credential-limit";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { codesOf } from "../support/declared";
import { replay, settle } from "../support/replay";
import { startServer, startServerOn, type TestServer } from "../support/server";

const nothingFound = { subKeys: [], deletedSubKey: undefined, next: undefined };
const shared = await createDatabase();
let usual: TestServer;
let impatient: TestServer;
let limited: TestServer;
let broken: TestServer;
let cutOff: TestServer;
beforeAll(async () => {
  usual = await startServerOn(shared.url);
  limited = await startServerOn(shared.url, {
    rateLimit: createCredentialLimit(usual.db, { requests: 1, seconds: 3_600 }),
  });
  await call(limited.url, "GET", "/v1/users");
  impatient = await startServerOn(shared.url, {}, {}, impatientTimeouts);
  broken = await startServer();
  for (const table of ["users", "channels", "sub_keys"])
    await broken.db.query({
      name: `test.lose-${table}`,
      text: `ALTER TABLE ${table} RENAME TO lost_${table}`,
    });
  cutOff = await startServerOn(shared.url);
  await cutOff.db.close();
});
afterAll(async () => {
  await usual.close();
  await limited.close();
  await impatient.close();
  await broken.close();
  // Its database is closed already.
  await cutOff.close().catch(() => undefined);
  await shared.drop();
});

/** Sends what the operation would accept, in a state of the server in which it cannot. */
const states = {
  request_timeout: ({ operation }: Sent) => sendSlowly(impatient.url, operation),
  rate_limited: (accepted: Sent) => replay(limited.url, accepted, nothingFound),
  internal: (accepted: Sent) => replay(broken.url, accepted, nothingFound),
  unavailable: (accepted: Sent) => replay(cutOff.url, accepted, nothingFound),
  idempotency_key_reused: async (accepted: Sent) => {
    const idempotencyKey = `key-of-${accepted.operation}`;
    const { status } = await call(usual.url, "POST", "/v1/users", {
      idempotencyKey,
      body: { user_id: accepted.operation.toLowerCase().replaceAll(".", "_"), name: "Kim" },
    });
    expect(status).toBe(201);
    const headers = { "idempotency-key": idempotencyKey };
    return replay(usual.url, { ...accepted, request: { ...accepted.request, headers } }, nothingFound);
  },
} satisfies Record<keyof typeof stateRefusals, (accepted: Sent) => ReturnType<typeof replay>>;

const impatientTimeouts = {
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

type Sent = Interaction & { operation: OperationId };

describe.each(operations)("$id", ({ id, route }) => {
  const declared = codesOf(route);
  test.each(Object.entries(states).filter(([code]) => declared.some((known) => known === code)))(
    "%s",
    async (code, send) => {
      // Object.entries forgets which keys there are.
      const expected = stateRefusals[code as keyof typeof states];
      const answer = await send({ ...requireAccepted(id), operation: id });
      expect(settle(answer, expected)).toStrictEqual(expected);
      if (code === "rate_limited") expect(answer.headers?.["retry-after"]).toMatch(/^\d+$/);
    },
  );
});
