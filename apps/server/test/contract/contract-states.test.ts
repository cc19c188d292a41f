import { errorCodesOf, type OperationId, operations } from "@madang/contract";
import { type Interaction, requireAccepted, serverStateProblems } from "@madang/contract-tests";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCredentialLimit } from "../../src/http/rate-limits/credential-limit";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { normalize, replay } from "../support/replay";
import { startServer, startServerOn, type TestServer } from "../support/server";

const nothingCreated = { subKeys: [] };
const database = await createDatabase();
let healthy: TestServer;
let limited: TestServer;
let broken: TestServer;
let disconnected: TestServer;
beforeAll(async () => {
  healthy = await startServerOn(database.url);
  limited = await startServerOn(database.url, {
    rateLimit: createCredentialLimit(healthy.db, { requests: 1, seconds: 3_600 }),
  });
  await call(limited.url, "GET", "/v1/users");
  broken = await startServer();
  for (const table of ["users", "channels", "sub_keys"])
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
  await broken.close();
  // Its database is closed already.
  await disconnected.close().catch(() => undefined);
  await database.drop();
});

/** Sends a request that the operation accepts, to a server in a state in which it cannot. */
const states = {
  rate_limited: (accepted: Sent) => replay(limited.url, accepted, nothingCreated),
  internal: (accepted: Sent) => replay(broken.url, accepted, nothingCreated),
  unavailable: (accepted: Sent) => replay(disconnected.url, accepted, nothingCreated),
  idempotency_key_reused: async (accepted: Sent) => {
    const idempotencyKey = `key-of-${accepted.operation}`;
    const { status } = await call(healthy.url, "POST", "/v1/users", {
      idempotencyKey,
      body: { user_id: accepted.operation.toLowerCase().replaceAll(".", "_"), name: "Kim" },
    });
    expect(status).toBe(201);
    const headers = { "idempotency-key": idempotencyKey };
    return replay(healthy.url, { ...accepted, request: { ...accepted.request, headers } }, nothingCreated);
  },
} satisfies Record<keyof typeof serverStateProblems, (accepted: Sent) => ReturnType<typeof replay>>;

type Sent = Interaction & { operation: OperationId };

describe.each(operations)("$id", (operation) => {
  const declared = errorCodesOf(operation);
  test.each(Object.entries(states).filter(([code]) => declared.some((known) => known === code)))(
    "%s",
    async (code, sendTo) => {
      // Object.entries widens the keys to string.
      const expected = serverStateProblems[code as keyof typeof states];
      const response = await sendTo({ ...requireAccepted(operation.id), operation: operation.id });
      expect(normalize(response, expected)).toStrictEqual(expected);
      if (code === "rate_limited") expect(response.headers?.["retry-after"]).toMatch(/^\d+$/);
    },
  );
});
