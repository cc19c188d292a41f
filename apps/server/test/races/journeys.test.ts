import type { ChatClient } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { startServer, startServerOn, type TestServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";
import { createUsers, numbered, outcomes } from "../support/users";

let first: TestServer;
let second: TestServer;
let chats: [ChatClient, ChatClient];
let chat: ChatClient;
const userIds = numbered("racer", 120);

beforeAll(async () => {
  first = await startServer();
  second = await startServerOn(first.databaseUrl);
  chats = [chatWith(first), chatWith(second)];
  [chat] = chats;
  await createUsers(chat, userIds);
});
afterAll(async () => {
  await second.close();
  await first.close();
});

/** One call per item, all concurrent, alternating between the two processes. */
const race = <Item>(items: readonly Item[], call: (chat: ChatClient, item: Item) => Promise<unknown>) =>
  outcomes(items.map((item, index) => call(chats[index % 2 === 0 ? 0 : 1], item)));

/** Ignores one error code. */
const ignore = (code: string) => (error: { code?: string }) => {
  if (error.code !== code) throw error;
};

const storedCounts = async (channelId: string) => {
  const [counts] = await first.db.channel(channelId).query<{
    counted: number;
    stored: number;
    managersCounted: number;
    managers: number;
  }>(
    {
      name: "test.counts",
      text: `SELECT member_count AS counted, manager_count AS "managersCounted",
        (SELECT count(*) FROM members WHERE channel_pk = pk) AS stored,
        (SELECT count(*) FROM managers WHERE channel_pk = pk) AS "managers"
        FROM channels WHERE channel_id = $1 AND deleted_at IS NULL`,
    },
    [channelId],
  );
  return counts;
};

test("of 20 users that join a channel with 99 participants concurrently, one joins", async () => {
  for (const round of numbered("last_place", 5)) {
    await chat.channels.create({ channel_id: round, name: "Full", members: userIds.slice(0, 99) });
    const ended = await race(userIds.slice(100, 120), (chat, id) => chat.channels.members.join(round, id));
    expect(Object.fromEntries(ended)).toEqual({ ok: 1, member_limit_exceeded: 19 });
    expect(await storedCounts(round)).toMatchObject({ counted: 100, stored: 100 });
  }
});

test("concurrent joins of one user as the 100th participant all succeed", async () => {
  await chat.channels.create({ channel_id: "self_race", name: "Full", members: userIds.slice(0, 99) });
  const same = Array.from({ length: 32 }, () => "racer_110");
  const ended = await race(same, (chat, id) => chat.channels.members.join("self_race", id));
  expect(Object.fromEntries(ended)).toEqual({ ok: 32 });
  expect(await storedCounts("self_race")).toMatchObject({ counted: 100, stored: 100 });
});

test("of 30 concurrent manager requests, ten succeed", async () => {
  await chat.channels.create({ channel_id: "managed", name: "Managed", members: [] });
  const ended = await race(userIds.slice(0, 30), (chat, id) => chat.channels.managers.add("managed", id));
  expect(Object.fromEntries(ended)).toEqual({ ok: 10, manager_limit_exceeded: 20 });
  expect(await storedCounts("managed")).toMatchObject({ managersCounted: 10, managers: 10 });
});

test("when one user leaves a full channel while another joins, both get a valid response and the counts are correct", async () => {
  for (const round of numbered("swap", 20)) {
    await chat.channels.create({ channel_id: round, name: "Full", members: userIds.slice(0, 100) });
    for (const manager of userIds.slice(0, 10)) await chat.channels.managers.add(round, manager);
    const ended = await race(["leave", "join", "remove", "add"], (chat, action) => {
      if (action === "leave") return chat.channels.members.leave(round, "racer_000");
      if (action === "join") return chat.channels.members.join(round, "racer_110");
      if (action === "remove") return chat.channels.managers.remove(round, "racer_000");
      return chat.channels.managers.add(round, "racer_110");
    });
    const allowed = ["ok", "member_limit_exceeded", "manager_limit_exceeded"];
    expect([...ended.keys()].filter((name) => !allowed.includes(name))).toEqual([]);
    const counts = await storedCounts(round);
    expect(counts?.counted).toBe(counts?.stored);
    expect(counts?.managersCounted).toBe(counts?.managers);
  }
});

test("a channel of two is never full, however often the two leave and join", async () => {
  await chat.channels.create({ channel_id: "come_and_go", name: "Two", members: userIds.slice(0, 2) });
  const [one = "", two = ""] = userIds;
  for (let round = 0; round < 20; round += 1) {
    const calls = [one, two, one, two, one, two];
    const members = race(calls, (chat, id) =>
      Promise.all([
        chat.channels.members.leave("come_and_go", id),
        chat.channels.members.join("come_and_go", id),
        chat.channels.managers.add("come_and_go", id),
        chat.channels.managers.remove("come_and_go", id).catch(ignore("manager_not_found")),
      ]),
    );
    expect(Object.fromEntries(await members)).toEqual({ ok: 6 });
  }
});

test("users who share channels are deleted concurrently without a deadlock", async () => {
  for (const round of numbered("farewell", 10)) {
    const four = numbered(round, 4);
    await createUsers(chat, four);
    const channels = [four.slice(0, 2), four.slice(0, 2).reverse()].map((members, index) => ({
      members,
      id: `${round}_room${index}`,
    }));
    for (const { id, members } of channels) await chat.channels.create({ channel_id: id, name: id, members });
    const pairs = four.flatMap((user) => channels.map(({ id }) => ({ user, channelId: id })));
    const ignoreDeleted = ignore("user_not_found");
    await Promise.all([
      race(pairs, (chat, { user, channelId }) =>
        chat.channels.members.join(channelId, user).catch(ignoreDeleted),
      ),
      race(pairs, (chat, { user, channelId }) =>
        chat.channels.managers.add(channelId, user).catch(ignoreDeleted),
      ),
      race(four, (chat, user) => chat.users.delete(user)),
    ]).then((all) => all.map((ended) => expect([...ended.keys()]).toEqual(["ok"])));
  }
  const [{ deadlocks } = { deadlocks: -1 }] = await first.db.query<{ deadlocks: number }>({
    name: "test.deadlocks",
    text: "SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()",
  });
  expect(deadlocks).toBe(0);
});

test("concurrent metadata merges lose nothing and stop at ten pairs", async () => {
  await createUsers(chat, ["merged"]);
  const keys = [..."abcdefghijklmnopqrst"];
  const ended = await race(keys, (chat, key) => chat.users.meta.merge("merged", { [key]: key }));
  expect(Object.fromEntries(ended)).toEqual({ ok: 10, meta_limit_exceeded: 10 });
  const { meta } = await chat.users.get("merged");
  expect(Object.keys(meta)).toHaveLength(10);
  for (const [key, value] of Object.entries(meta)) expect(value).toBe(key);
});

test("of 20 concurrent key creates, ten succeed", async () => {
  const ended = await race(userIds.slice(0, 20), (chat) => chat.keys.create());
  expect(Object.fromEntries(ended)).toEqual({ ok: 10, key_limit_exceeded: 10 });
  const keys = await chat.keys.list();
  expect(new Set(keys.map(({ key }) => key)).size).toBe(10);
  await Promise.all(keys.map(({ key }) => chat.keys.delete(key)));
});

test("concurrent creates of one id create one user and one channel", async () => {
  const users = await race(userIds.slice(0, 32), (chat) =>
    chat.users.create({ user_id: "only_one", name: "One" }),
  );
  expect(Object.fromEntries(users)).toEqual({ ok: 1, user_exists: 31 });
  const channels = await race(userIds.slice(0, 32), (chat) =>
    chat.channels.create({ channel_id: "only_room", name: "One", members: ["only_one"] }),
  );
  expect(Object.fromEntries(channels)).toEqual({ ok: 1, channel_exists: 31 });
});

test("concurrent joins, leaves, messages and deletions cause no deadlock or wrong count", async () => {
  const channels = numbered("melee", 6);
  const actors = numbered("actor", 12);
  await createUsers(chat, actors);
  for (const channelId of channels)
    await chat.channels.create({ channel_id: channelId, name: channelId, members: actors.slice(0, 4) });
  const actions: ((chat: ChatClient, channelId: string, actor: string) => Promise<unknown>)[] = [
    (chat, channelId, actor) => chat.channels.members.join(channelId, actor),
    (chat, channelId, actor) => chat.channels.members.leave(channelId, actor),
    (chat, channelId, actor) => chat.channels.managers.add(channelId, actor),
    (chat, channelId, actor) => chat.channels.managers.remove(channelId, actor),
    (chat, channelId, actor) =>
      chat.messages.send(channelId, { user_id: actor, type: "text", content: "hi" }),
    (chat, _room, actor) => chat.users.delete(actor),
    (chat, _room, actor) => chat.users.create({ user_id: actor, name: actor }),
    (chat, channelId) => chat.channels.delete(channelId),
    (chat, channelId) =>
      chat.channels.create({ channel_id: channelId, name: channelId, members: actors.slice(0, 2) }),
  ];
  const ended = new Set<string>();
  // Some at a time: on a busy machine, the last of all would wait for minutes.
  for (let start = 0; start < 720; start += 120) {
    const steps = Array.from({ length: 120 }, (_, index) => start + index);
    const outcomes = await race(steps, (chat, index) => {
      const action = actions[(index * 7) % actions.length];
      return action?.(chat, channels[index % 6] ?? "", actors[(index * 5) % 12] ?? "") ?? Promise.resolve();
    });
    for (const name of outcomes.keys()) ended.add(name);
  }
  const expected = [
    "ok",
    "user_not_found",
    "channel_not_found",
    "manager_not_found",
    "user_exists",
    "channel_exists",
  ];
  expect([...ended].filter((name) => ![...expected, "not_a_participant"].includes(name))).toEqual([]);

  while (await sweepDeletedUsers(first.db));
  const invariants = {
    name: "test.invariants",
    text: `SELECT channel_id FROM channels c WHERE deleted_at IS NULL AND (
        member_count <> (SELECT count(*) FROM members WHERE channel_pk = c.pk)
        OR manager_count <> (SELECT count(*) FROM managers WHERE channel_pk = c.pk)
        OR total_message_count <> (SELECT count(*) FROM messages WHERE channel_pk = c.pk))
      UNION ALL
      SELECT user_id FROM users u WHERE deleted_at IS NOT NULL AND (
        EXISTS (SELECT FROM members JOIN channels c ON c.pk = channel_pk WHERE user_pk = u.pk AND c.deleted_at IS NULL)
        OR EXISTS (SELECT FROM managers JOIN channels c ON c.pk = channel_pk WHERE user_pk = u.pk AND c.deleted_at IS NULL))`,
  };
  const wrong = (await Promise.all(first.db.schemas().map((schema) => schema.query(invariants)))).flat();
  expect(wrong).toEqual([]);
});
