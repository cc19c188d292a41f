import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { call, callPatiently } from "../../../test/support/call";
import { startServer, startServerOn } from "../../../test/support/server";

const users = Array.from({ length: 8 }, (_, index) => `user_${index}`);
const path = "/v1/group/channels/room_1";
const server = await startServer();
for (const user_id of [...users, "outsider"])
  await call(server.url, "POST", "/v1/users", { body: { user_id, name: user_id } });
const body = { channel_id: "room_1", name: "Room", members: users };
await call(server.url, "POST", "/v1/group/channels", { body });
afterAll(() => server.close());

const send = (user_id: string, rest: object) =>
  callPatiently(server.url, "POST", `${path}/messages`, { body: { user_id, ...rest } });
const text = (content: string) => ({ type: "text", content });
const file = { type: "file", file: { type: "text/plain", name: "a", url: "https://a", size: 1 } };

test("concurrent messages each get their own response, and all are counted", async () => {
  const sent = Array.from({ length: 200 }, (_, index) => {
    if (index % 10 === 3) return send("outsider", text("no"));
    if (index % 10 === 4) return send("unknown_user", text("no"));
    const user = users[index % users.length] ?? "";
    return index % 10 === 5
      ? send(user, file)
      : send(user, { ...text(`"${index}"`), meta: { k: `{${index}` } });
  });
  const replies = await Promise.all(sent);
  for (const [index, { status, body }] of replies.entries()) {
    const expected = { 3: [403, "not_a_participant"], 4: [404, "user_not_found"] }[index % 10];
    if (expected !== undefined) expect([status, body.code]).toEqual(expected);
    else expect([status, body.user?.user_id]).toEqual([201, users[index % users.length]]);
    if (status === 201 && body.type === "text")
      expect([body.content, body.meta]).toEqual([`"${index}"`, { k: `{${index}` }]);
  }
  const { body: channel } = await call(server.url, "GET", path);
  expect([channel.total_message_count, channel.total_file_count]).toEqual([160, 20]);
  const { body: page } = await call(
    server.url,
    "GET",
    `/v1/exports/group/channels/room_1/messages?limit=1000`,
  );
  const stored = replies.filter(({ status }) => status === 201).map(({ body }) => body);
  const byId = (a: { message_id: string }, b: { message_id: string }) =>
    a.message_id.localeCompare(b.message_id);
  expect(page.messages.toSorted(byId)).toEqual(stored.toSorted(byId));
});

test("concurrent messages to a frozen channel are accepted or rejected one by one", async () => {
  await call(server.url, "POST", `${path}/managers`, { body: { manager: "user_0" } });
  await call(server.url, "PUT", `${path}/freeze`, { body: { freeze: true } });
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, index) => send(`user_${index % 2}`, text("x"))),
  );
  expect(replies.map(({ status }) => status)).toEqual(
    replies.map((_, index) => (index % 2 === 0 ? 201 : 403)),
  );
});

test("messages that waited for an unavailable database are rejected without another wait", async () => {
  const statements: string[] = [];
  const failing = await startServerOn(server.databaseUrl, {
    settings: { MADANG_STATEMENT_TIMEOUT_MS: "3000" },
    onStatement: (name) => statements.push(name),
  });
  const holder = new pg.Client({ connectionString: server.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM channels FOR UPDATE");
  const body = { user_id: "user_0", ...text("late") };
  // More than one batch: the first is late altogether, and says nothing about the database.
  const replies = await Promise.all(
    Array.from({ length: 80 }, () => call(failing.url, "POST", `${path}/messages`, { body })),
  );
  await holder.query("ROLLBACK");
  await holder.end();
  expect(replies.map(({ status, headers }) => [status, headers.get("Retry-After")])).toEqual(
    Array(80).fill([503, "1"]),
  );
  expect(statements.filter((name) => name.startsWith("messages.send"))).toHaveLength(1);
  expect((await call(failing.url, "POST", `${path}/messages`, { body })).status).toBe(201);
  await failing.close();
});
