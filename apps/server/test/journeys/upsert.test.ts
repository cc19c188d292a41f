import type { NewUser } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { collect } from "../support/collect";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer();
  chat = chatWith(server);
});
afterAll(() => server.close());

const numbered = (prefix: string, count: number, name = "User"): NewUser[] =>
  Array.from({ length: count }, (_, index) => ({ user_id: `${prefix}_${index}`, name }));
const latest = async () => (await chat.events.list({ after: "latest" })).next;
/** The events up to that of a user who is created now. */
async function eventsAfter(after: string) {
  const marker = `marker_${crypto.randomUUID().replaceAll("-", "_")}`;
  await chat.users.create({ user_id: marker, name: "Marker" });
  const events: [type: string, userId: string | undefined][] = [];
  for await (const event of chat.events.listen({ after })) {
    const userId = "user_id" in event ? event.user_id : undefined;
    if (userId === marker) break;
    events.push([event.type, userId]);
  }
  return events;
}
/** The version of each row, and what it says of its last change. */
const versions = (prefix: string) =>
  server.db.query<object>({
    name: "test.versions",
    text: `SELECT user_id, xmin::text, updated_at FROM users WHERE starts_with(user_id, '${prefix}') ORDER BY user_id`,
  });

test("it has the events of the single operations, and none for a user without differences", async () => {
  await chat.users.create({ user_id: "event_a", name: "A", meta: { team: "blue" } });
  await chat.users.create({ user_id: "event_b", name: "B" });
  const before = await latest();
  const [, , unchanged] = await collect(
    chat.users.upsertMany([
      { user_id: "event_b", name: "Bea" },
      { user_id: "event_c", name: "C" },
      { user_id: "event_a", name: "A", meta: { team: "blue" } },
    ]),
  );
  expect(unchanged).toEqual({ user_id: "event_a", result: "unchanged" });
  const events = await eventsAfter(before);
  expect(events.toSorted()).toEqual([
    ["user.created", "event_c"],
    ["user.updated", "event_b"],
  ]);
  expect(await chat.users.get("event_b")).toMatchObject({ name: "Bea" });
});

test("the same users again write no row of a user, and no event", async () => {
  const users = numbered("same", 250).map((user) => ({ ...user, meta: { team: "blue" } }));
  expect(new Set((await collect(chat.users.upsertMany(users))).map(({ result }) => result))).toEqual(
    new Set(["created"]),
  );
  const [before, cursor] = [await versions("same"), await latest()];
  const again = await collect(chat.users.upsertMany(users));
  expect(again).toEqual(users.map(({ user_id }) => ({ user_id, result: "unchanged" })));
  expect(await versions("same")).toEqual(before);
  expect(await eventsAfter(cursor)).toEqual([]);
});

test("it sets, keeps and merges the fields of a user, and leaves a suspension", async () => {
  await chat.users.create({
    user_id: "field_a",
    name: "A",
    profile_url: "https://a",
    meta: { a: "1", b: "1" },
  });
  await chat.users.suspend("field_a", { reason: "Spam" });
  await collect(chat.users.upsertMany([{ user_id: "field_a", name: "B", meta: { b: "2", c: "2" } }]));
  expect(await chat.users.get("field_a")).toMatchObject({
    name: "B",
    profile_url: "https://a",
    meta: { a: "1", b: "2", c: "2" },
    suspended_until: 0,
  });
  await collect(chat.users.upsertMany([{ user_id: "field_a", name: "B", profile_url: "" }]));
  expect(await chat.users.get("field_a")).not.toHaveProperty("profile_url");
});

test("one idempotency key covers all users: a repeated request returns the first results", async () => {
  const send = (name: string) =>
    call(server.url, "PUT", "/v1/users", {
      idempotencyKey: `upsert-${name}`,
      body: { users: numbered("key", 3, name) },
    });
  const first = await send("One");
  await chat.users.update("key_0", { name: "Two" });
  expect((await send("One")).body).toEqual(first.body);
  expect((await chat.users.get("key_0")).name).toBe("Two");
});

test("the audit log has an entry for a request", async () => {
  await collect(chat.users.upsertMany(numbered("audit", 2), { actor: "Nightly" }));
  const entries = await collect(chat.audit.list({ operation: "users.upsertMany" }));
  expect(entries[0]).toMatchObject({ operation: "users.upsertMany", status: 200, actor: "Nightly" });
});

test("the SDK takes a generator of any number of users, and reads it only as results are read", async () => {
  let made = 0;
  async function* users(): AsyncGenerator<NewUser> {
    for (const user of numbered("many", 1_000)) {
      made += 1;
      yield user;
    }
  }
  const ids: string[] = [];
  for await (const { user_id, result } of chat.users.upsertMany(users())) {
    expect(result).toBe("created");
    if (ids.push(user_id) === 250) break;
  }
  expect(ids).toEqual(numbered("many", 250).map(({ user_id }) => user_id));
  expect(made).toBeLessThan(400);
});

test("of two users with one id, the later one is stored last, each with its result", async () => {
  const users = [...numbered("twice", 2, "One"), ...numbered("twice", 1, "Two")];
  const results = await collect(chat.users.upsertMany(users, { idempotencyKey: "twice" }));
  expect(results.map(({ result }) => result)).toEqual(["created", "created", "updated"]);
  expect((await chat.users.get("twice_0")).name).toBe("Two");
  // Each request has a key of its own.
  expect(await collect(chat.users.upsertMany(users, { idempotencyKey: "twice" }))).toEqual(results);
});

test("a user that breaks a rule rejects its request, and the earlier ones are stored", async () => {
  const users = [...numbered("rule", 100), { user_id: "rule_x", name: "" }, { user_id: "rule_y", name: "Y" }];
  const results: unknown[] = [];
  const sending = (async () => {
    for await (const result of chat.users.upsertMany(users)) results.push(result);
  })();
  await expect(sending).rejects.toMatchObject({ name: "BadRequestError", code: "invalid_request" });
  expect(results).toHaveLength(100);
  await expect(chat.users.get("rule_y")).rejects.toMatchObject({ code: "user_not_found" });
});

test("without users, nothing is sent", async () => {
  expect(await collect(chat.users.upsertMany([]))).toEqual([]);
});
