import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { startServer } from "../support/server";

const server = await startServer();
for (const user_id of ["user_1", "user_2", "user_3", "user_4", "user_5", "user_6"])
  await call(server.url, "POST", "/v1/users", { body: { user_id, name: "Kim" } });
const { body } = await call(server.url, "POST", "/v1/applications/keys", {
  body: { scopes: ["channels.*"] },
});
const scoped = body.key;
afterAll(() => server.close());

const missing = { status: 403, body: { code: "scope_missing" } };

test.each(["/v1/events/stream?after=latest", "/v1/events?after=latest&wait=20"])(
  "a key without the scope cannot open %s",
  async (path) => {
    expect(await call(server.url, "GET", path, { key: scoped })).toMatchObject(missing);
  },
);

test("a cursor that another key received does not replace a scope", async () => {
  const { next } = (await call(server.url, "GET", "/v1/users?limit=5")).body;
  expect(next).toMatch(/./);
  expect(await call(server.url, "GET", `/v1/users?next=${next}`, { key: scoped })).toMatchObject(missing);
});

test("an idempotency key of another caller does not replace a scope", async () => {
  const request = { body: { user_id: "repeated", name: "Kim" }, idempotencyKey: "repeated" };
  expect(await call(server.url, "POST", "/v1/users", request)).toMatchObject({ status: 201 });
  expect(await call(server.url, "POST", "/v1/users", { ...request, key: scoped })).toMatchObject(missing);
});

test("the scope is checked before the body is read", async () => {
  const request = { key: scoped, body: { unknown: true } };
  expect(await call(server.url, "POST", "/v1/users", request)).toMatchObject(missing);
});

test("the error names the scope of the operation, also for a variant without a body", async () => {
  const path = "/v1/users/user_1/meta/team";
  expect((await call(server.url, "DELETE", path, { key: scoped })).body.detail).toContain(
    "the scope users.meta.delete,",
  );
});

test("only the master key and a key with its scope change retention and holds, which can allow an erasure", async () => {
  await call(server.url, "POST", "/v1/group/channels", {
    body: { channel_id: "held", name: "Held", members: [] },
  });
  const hold = async (scopes?: readonly string[]) => {
    const body = { ...(scopes && { scopes }) };
    const { key } = (await call(server.url, "POST", "/v1/applications/keys", { body })).body;
    const change = { key, body: { days: null, hold: true } };
    return call(server.url, "PUT", "/v1/group/channels/held/retention", change);
  };
  for (const scopes of [undefined, ["read"], ["channels.*"]])
    expect(await hold(scopes)).toMatchObject(missing);
  expect(await hold(["channels.setRetention"])).toMatchObject({ status: 200 });
});
