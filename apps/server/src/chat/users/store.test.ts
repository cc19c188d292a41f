import { afterAll, expect, test } from "vitest";
import { call, callPatiently } from "../../../test/support/call";
import { startServer, startServerOn } from "../../../test/support/server";
import { openWriter } from "../../write/writer";
import { batchUserLookups, createUser } from "./store";

const server = await startServer();
const other = await startServerOn(server.databaseUrl);
for (const userId of ["user_1", "user_2", "user_3"])
  await createUser(openWriter(server.db), { userId, name: userId, profileUrl: undefined, meta: {} }, 1);
afterAll(async () => {
  await other.close();
  await server.close();
});

const pick = <Item>(list: readonly Item[], index: number) => list[index % list.length] as Item;

test("concurrent lookups each find their user, including the same one twice and none", async () => {
  const find = batchUserLookups(server.db);
  const userIds = ["user_1", "user_3", "unknown", "user_1", "user_2"];
  const found = await Promise.all(userIds.map(find));
  expect(found.map((user) => user?.name)).toEqual(["user_1", "user_3", undefined, "user_1", "user_2"]);
});

test("an error rejects all waiting lookups, and no later ones", async () => {
  let isBroken = true;
  const find = batchUserLookups({
    ...server.db,
    query: (statement, values) =>
      isBroken ? Promise.reject(new Error("broken")) : server.db.query(statement, values),
  });
  const failed = await Promise.allSettled(["user_1", "user_2"].map(find));
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect((await find("user_1"))?.name).toBe("user_1");
});

test("users that are created at the same time, some with one id or one key, each get their own result", async () => {
  const create = (index: number, user_id: string, idempotencyKey: string) =>
    callPatiently(pick([server.url, other.url], index), "POST", "/v1/users", {
      body: { user_id, name: `${index}`, meta: { k: `"{${index}` } },
      idempotencyKey,
    });
  const requests = Array.from({ length: 120 }, (_, index) => {
    // Every fifth id is requested twice, with different names. Every seventh request is sent again with its key.
    const userId = index % 5 === 4 ? `new_${index - 1}` : `new_${index}`;
    return { index, userId, times: index % 7 === 0 ? 2 : 1 };
  });
  const replies = await Promise.all(
    requests.map(({ index, userId, times }) =>
      Promise.all(Array.from({ length: times }, () => create(index, userId, `create-${index}`))),
    ),
  );
  const created = replies.flatMap(([reply], index) =>
    reply?.status === 201 ? [{ index, user: reply.body, replies: replies[index] ?? [] }] : [],
  );
  for (const { index, user, replies: same } of created) {
    expect(user).toMatchObject({ name: `${index}`, meta: { k: `"{${index}` } });
    expect(same.map(({ body }) => body)).toEqual(same.map(() => user));
    expect((await call(server.url, "GET", `/v1/users/${user.user_id}`)).body).toEqual(user);
  }
  const rejected = replies.flat().filter(({ status }) => status !== 201);
  expect(new Set(rejected.map(({ body }) => body.code))).toEqual(new Set(["user_exists"]));
  // One of each pair that shares an id.
  expect(created).toHaveLength(96);
  const events = await server.db.query<{ count: number }>({
    name: "count created",
    text: "SELECT count(*) AS count FROM events WHERE type = 'user.created' AND user_id LIKE 'new\\_%'",
  });
  expect(events).toEqual([{ count: 96 }]);
});
