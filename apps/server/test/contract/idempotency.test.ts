import { type OperationId, operations } from "@madang/contract";
import { listInteractions, requestTime } from "@madang/contract-tests";
import { afterAll, expect, test } from "vitest";
import { replay } from "../support/replay";
import { startServer } from "../support/server";
import { readState } from "../support/state";
import { createWorld } from "../support/world";

const clock = { now: 0 };
const server = await startServer({ now: () => clock.now });
afterAll(() => server.close());

/** They store nothing: a token is made again, a signal or a test push is sent again, and a filter is tried again. */
const withoutEffect: readonly OperationId[] = [
  "users.createToken",
  "signals.send",
  "users.devices.ping",
  "filters.try",
];

const changes: readonly OperationId[] = operations
  .filter(({ id, route }) => route.method !== "GET" && !withoutEffect.includes(id))
  .map(({ id }) => id);

test.each(changes)("%s with an idempotency key takes effect once", async (operation) => {
  const interaction = listInteractions().find(
    (each) =>
      each.operation === operation && each.response.status < 300 && each.given?.settings === undefined,
  );
  if (interaction === undefined) throw new Error("The operation has no interaction that succeeds.");
  const headers = {
    ...interaction.request?.headers,
    "Idempotency-Key": `key of ${operation}`.replaceAll(" ", "-"),
  };
  const keyed = { ...interaction, operation, request: { ...interaction.request, headers } };
  const created = await createWorld({ ...server, clock }, interaction.given ?? {});
  clock.now = requestTime;
  const first = await replay(server.url, keyed, created);
  const stateAfterFirst = await readState(server.db);
  const second = await replay(server.url, keyed, created);
  expect(first.status).toBe(interaction.response.status);
  expect([second.status, second.body]).toEqual([first.status, first.body]);
  expect([first, second].map((each) => each.headers?.["idempotent-replayed"])).toEqual([undefined, "true"]);
  expect(await readState(server.db)).toBe(stateAfterFirst);
});
