import { type OperationId, operations } from "@madang/contract";
import { type Interaction, requireAccepted, stateRefusals } from "@madang/contract-tests";
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
let limited: TestServer;
let broken: TestServer;
let cutOff: TestServer;
beforeAll(async () => {
  usual = await startServerOn(shared.url);
  limited = await startServerOn(shared.url, {
    rateLimit: createCredentialLimit(usual.db, { requests: 1, seconds: 3_600 }),
  });
  await call(limited.url, "GET", "/v1/users");
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
  await broken.close();
  // Its database is closed already.
  await cutOff.close().catch(() => undefined);
  await shared.drop();
});

/** Sends what the operation would accept, in a state of the server in which it cannot. */
const states = {
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
