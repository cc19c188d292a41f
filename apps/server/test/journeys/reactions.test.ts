import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { startServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";
import { untilBlocking } from "../support/until-blocking";

let round = 0;
const server = await startServer();
const chat = chatWith(server);
afterAll(() => server.close());

/** A channel of two participants with a message of the first. */
async function createRoom() {
  const [room, kim, lee] = ["room", "kim", "lee"].map((name) => `${name}_${round}`) as [
    string,
    string,
    string,
  ];
  round += 1;
  for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: "User" });
  await chat.channels.create({ channel_id: room, name: "Room", members: [kim, lee] });
  const send = async (user_id = kim) =>
    (await chat.messages.send(room, { user_id, type: "text", content: "Hi" })).message_id;
  const id = await send();
  const path = `/v1/group/channels/${room}`;
  return { room, kim, lee, id, send, path };
}

const latest = async () => (await chat.events.list({ after: "latest" })).next;
async function eventsAfter(after: string) {
  const { events } = await chat.events.list({ after });
  return events.map(({ type, data }) => [type, data] as const);
}

test("a removal that is repeated after the message was deleted succeeds, as it did the first time", async () => {
  const { room, kim, id } = await createRoom();
  await chat.messages.reactions.add(room, id, "👍", kim);
  const options = { idempotencyKey: `remove ${id}`.replaceAll(" ", "-") };
  const removed = () => chat.messages.reactions.remove(room, id, "👍", kim, options);
  expect(await removed()).toEqual({ reactions: [] });
  await chat.messages.delete(room, id);
  expect(await removed()).toEqual({ reactions: [] });
  await expect(chat.messages.reactions.remove(room, id, "👍", kim)).rejects.toMatchObject({
    code: "message_not_found",
  });
});

const lockMessage = (id: string) => {
  const text = `SELECT 1 FROM messages WHERE pk = ${id.split("-")[1]} FOR UPDATE`;
  return { name: `test.lock ${id}`, text };
};

test("reactions to one message block no sends to its channel, and no reactions to others; a mute waits for them", async () => {
  const { room, kim, lee, id, send, path } = await createRoom();
  const other = await send();
  const cursor = await latest();
  const done: string[] = [];
  const note = (name: string) => () => done.push(name);
  await server.db.channel(room).transaction(async (tx) => {
    await tx.query(lockMessage(id));
    const reacting = chat.messages.reactions.add(room, id, "👍", lee).then(note("reaction"));
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    // It holds the lock of its channel now.
    await send(lee);
    await send(kim);
    await chat.messages.reactions.add(room, other, "👍", lee);
    expect(done).toEqual([]);
    const muting = call(server.url, "PUT", `${path}/members/${lee}/mute`).then(note("mute"));
    void reacting;
    void muting;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(done).toEqual([]);
  });
  await expect.poll(() => done.toSorted()).toEqual(["mute", "reaction"]);
  const effects = (await eventsAfter(cursor)).map(([type]) => type);
  expect(effects.slice(-2)).toEqual(["reaction.added", "member.muted"]);
  await expect(chat.messages.reactions.add(room, id, "🎉", lee)).rejects.toMatchObject({
    code: "member_muted",
  });
});

test("a user who leaves reacts to nothing afterwards: leaving waits for a reaction that has begun", async () => {
  const { room, lee, id } = await createRoom();
  const cursor = await latest();
  const calls: Promise<unknown>[] = [];
  let hasLeft = false;
  await server.db.channel(room).transaction(async (tx) => {
    await tx.query(lockMessage(id));
    calls.push(chat.messages.reactions.add(room, id, "👍", lee));
    await untilBlocking((sql) => tx.query({ name: "test.waiting", text: sql }));
    calls.push(
      chat.channels.members.leave(room, lee).then(() => {
        hasLeft = true;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(hasLeft).toBe(false);
  });
  await Promise.all(calls);
  expect((await eventsAfter(cursor)).map(([type]) => type)).toEqual(["reaction.added", "member.left"]);
});

test("each change emits one event, and what changes nothing emits none; a deleted message keeps no reaction in them", async () => {
  const { room, kim, lee, id } = await createRoom();
  const cursor = await latest();
  for (let count = 0; count < 2; count++) {
    await chat.messages.reactions.add(room, id, "👍", lee);
    await chat.messages.pin(room, id);
  }
  for (let count = 0; count < 2; count++) {
    await chat.messages.reactions.remove(room, id, "👍", lee);
    await chat.messages.unpin(room, id);
  }
  const about = { message_id: id, reaction: "👍", user_id: lee };
  const ofMessage = { message_id: id, message: { user: { user_id: kim } } };
  expect(await eventsAfter(cursor)).toMatchObject([
    ["reaction.added", about],
    ["message.pinned", ofMessage],
    ["reaction.removed", about],
    ["message.unpinned", ofMessage],
  ]);
  const { events } = await chat.events.list({ after: cursor, types: ["reaction.added"], channel_id: room });
  expect(events).toMatchObject([{ channel_id: room, user_id: lee, data: about }]);
  expect(Object.keys(events[0]?.data ?? {}).sort()).toEqual(["message_id", "reaction", "user_id"]);

  await chat.messages.delete(room, id);
  expect(await eventsAfter(cursor)).toEqual([
    ["reaction.added", { message_id: id, user_id: lee }],
    ["message.pinned", { message_id: id }],
    ["reaction.removed", { message_id: id, user_id: lee }],
    ["message.unpinned", { message_id: id }],
    ["message.deleted", { message_id: id }],
  ]);
});

test("reactions and pins change neither updated_at nor unread counts nor the order of the inbox", async () => {
  const { room, kim, lee, id } = await createRoom();
  const later = `later_${round}`;
  await chat.channels.create({ channel_id: later, name: "Later", members: [kim, lee] });
  await chat.messages.send(later, { user_id: kim, type: "text", content: "Hi" });
  const inbox = async () =>
    (await chat.users.channels(lee).toArray()).map(({ channel_id, unread_count }) => [
      channel_id,
      unread_count,
    ]);
  const [before, message] = [await inbox(), await chat.messages.get(room, id)];
  expect(before).toEqual([
    [later, 1],
    [room, 1],
  ]);
  await chat.messages.reactions.add(room, id, "👍", lee);
  await chat.messages.pin(room, id);
  expect(await inbox()).toEqual(before);
  const changed = await chat.messages.get(room, id);
  expect(changed.updated_at).toBe(message.updated_at);
  const shown = { reactions: [{ reaction: "👍", count: 1 }], pinned_at: expect.any(Number) };
  for (const found of [
    changed,
    ...(await chat.messages.list(room).toArray()),
    ...(await chat.exports.messages(room).toArray()),
    ...(await chat.messages.search(room, { q: "Hi" }).toArray()),
    ...(await chat.channels.pins(room).toArray()),
    ...(await chat.users.channels(lee).toArray()).flatMap(({ channel_id, last_message }) =>
      channel_id === room && last_message ? [last_message] : [],
    ),
  ])
    expect(found).toEqual({ ...message, ...shown });
  await chat.messages.update(room, id, { content: "Hello" });
  expect(await chat.messages.get(room, id)).toMatchObject({ content: "Hello", ...shown });
});

test("a reaction that was removed and added again comes last; the others keep their order", async () => {
  const { room, kim, lee, id } = await createRoom();
  for (const reaction of ["👍", "🎉", "🙏"]) await chat.messages.reactions.add(room, id, reaction, kim);
  await chat.messages.reactions.add(room, id, "👍", lee);
  await chat.messages.reactions.remove(room, id, "👍", kim);
  await chat.messages.reactions.remove(room, id, "🎉", kim);
  const { reactions } = await chat.messages.reactions.add(room, id, "🎉", kim);
  expect(reactions.map(({ reaction }) => reaction)).toEqual(["👍", "🙏", "🎉"]);
});

test("deleting a user keeps its reactions, and a new user with the id has none of them", async () => {
  const { room, kim, lee, id } = await createRoom();
  await chat.messages.reactions.add(room, id, "👍", lee);
  await chat.users.delete(lee);
  while (await sweepDeletedUsers(server.db));
  await chat.users.create({ user_id: lee, name: "Another" });
  await chat.channels.members.join(room, lee);
  expect((await chat.messages.reactions.remove(room, id, "👍", lee)).reactions).toEqual([
    { reaction: "👍", count: 1 },
  ]);
  expect((await chat.messages.reactions.add(room, id, "👍", lee)).reactions).toEqual([
    { reaction: "👍", count: 2 },
  ]);
  const users = (await chat.messages.reactions.list(room, id).toArray()).map(({ user }) => user.name);
  expect(users).toEqual(["User", "Another"]);
  await chat.messages.delete(room, id);
  const [left] = await server.db.channel(room).query<{ count: number }>({
    name: "test.count-reactions",
    text: `SELECT count(*) AS count FROM reactions WHERE message_pk = ${id.split("-")[1]}`,
  });
  expect(left?.count).toBe(0);
  expect((await chat.channels.members.list(room)).map(({ user_id }) => user_id)).toEqual([kim, lee]);
});

test("a repeated request with its idempotency key adds nothing, and after the deletion of the message stores nothing of it", async () => {
  const { room, lee, id, path } = await createRoom();
  const add = () =>
    call(server.url, "PUT", `${path}/messages/${id}/reactions/secret/${lee}`, {
      idempotencyKey: `key-${room}`,
    });
  const reactions = [{ reaction: "secret", count: 1 }];
  expect(await add()).toMatchObject({ status: 200, body: { reactions } });
  await chat.messages.reactions.remove(room, id, "secret", lee);
  const repeated = await add();
  expect(repeated).toMatchObject({ status: 200, body: { reactions: [] } });
  expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
  const [stored] = await server.db
    .channel(room)
    .query<{ result: unknown }>(
      { name: "test.find-key", text: "SELECT result FROM idempotency_keys WHERE key = $1" },
      [`key-${room}`],
    );
  expect(JSON.stringify(stored?.result)).not.toContain("secret");
});

test("150 concurrent pins: exactly 50 succeed, and each has a time of its own", async () => {
  const { room, send } = await createRoom();
  const ids: string[] = [];
  for (let count = 0; count < 60; count++) ids.push(await send());
  const results = await Promise.allSettled(
    [...ids, ...ids, ...ids].slice(0, 150).map((id) => chat.messages.pin(room, id)),
  );
  const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
  expect(new Set(codes)).toEqual(new Set(["pin_limit_exceeded"]));
  const messages = await chat.channels.pins(room).toArray();
  expect(messages).toHaveLength(50);
  const times = messages.map(({ pinned_at = 0 }) => pinned_at);
  expect(new Set(times).size).toBe(50);
  expect(times).toEqual([...times].sort((one, other) => other - one));
});
