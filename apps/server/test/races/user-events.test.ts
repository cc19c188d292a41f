import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/db";
import { LiveFeed } from "../../src/modules/events/live/live-feed";
import { Numbering } from "../../src/modules/events/numbering/numbering";
import { type FeedPosition, findLatest } from "../../src/modules/events/store";
import { requireTokenUser } from "../../src/modules/tokens/store";
import { createCursors } from "../../src/paging/cursor";
import { chatWith } from "../support/chat";
import { createToken } from "../support/replay";
import { isLong } from "../support/report";
import { startServer, type TestServer } from "../support/server";

/** Streams of users while memberships change, compared with a model that reads the feed of the application. */

const userCount = isLong ? 1_000 : 60;
const channelCount = isLong ? 100 : 12;
const changes = isLong ? 6_000 : 500;

let server: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer({ maxConnections: 20 });
  chat = chatWith(server);
  await inParallel(userIds, (user_id) => chat.users.create({ user_id, name: "Kim" }));
  await inParallel(channelIds, (channel_id) =>
    chat.channels.create({ channel_id, name: "Room", members: [] }),
  );
}, 120_000);
afterAll(() => server.close());

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}_${String(index).padStart(4, "0")}`);
const userIds = numbered("user", userCount);
const channelIds = numbered("room", channelCount);

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = [...items];
  const run = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, run));
}

// Random, but the same in every run.
let seed = 7;
const random = (max: number) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % max;
};
const pick = (list: readonly string[]) => list[random(list.length)] ?? "";

/** One change, which may be rejected. */
async function change(): Promise<void> {
  const [channel, user] = [pick(channelIds), pick(userIds)];
  const kind = random(100);
  const ignored = () => undefined;
  if (kind < 40) await chat.channels.members.join(channel, user).catch(ignored);
  else if (kind < 55) await chat.channels.members.leave(channel, user).catch(ignored);
  else if (kind < 62) await chat.channels.managers.add(channel, user).catch(ignored);
  else if (kind < 67) await chat.channels.managers.remove(channel, user).catch(ignored);
  else if (kind < 69) {
    await chat.channels.bans.add(channel, user).catch(ignored);
    await chat.channels.bans.remove(channel, user).catch(ignored);
  } else if (kind === 69) {
    await chat.channels.delete(channel).catch(ignored);
    await chat.channels.create({ channel_id: channel, name: "Again", members: [] }).catch(ignored);
  } else await chat.messages.send(channel, { type: "system", content: `${channel} ${kind}` }).catch(ignored);
}

interface Seen {
  readonly event_id: string;
  readonly type: string;
  readonly channel_id?: string;
  readonly user_id?: string;
}

const beginnings = ["member.joined", "manager.added"];
const ends = ["member.left", "manager.removed"];
const roleOf = (type: string) => (type.startsWith("member") ? "member" : "manager");

/** What each user must get, and what the user may get: what happened in a channel that the user has left soon after. */
function judge(feed: readonly Seen[], userId: string): ReadonlySet<string> {
  const roles = new Map<string, Set<string>>();
  const visible = new Set<string>();
  for (const { event_id, type, channel_id = "", user_id } of feed) {
    const own = roles.get(channel_id) ?? new Set();
    const isOwn = user_id === userId;
    if (isOwn && beginnings.includes(type)) roles.set(channel_id, own.add(roleOf(type)));
    const isRole = beginnings.includes(type) || ends.includes(type);
    const isHidden = /^(report|webhook)\.|^member\.(un)?banned$/.test(type);
    if (type.startsWith("user.") ? isOwn : !isHidden && (own.size > 0 || (isOwn && isRole)))
      visible.add(event_id);
    if (isOwn && ends.includes(type)) own.delete(roleOf(type));
    if (type === "channel.deleted") roles.delete(channel_id);
  }
  return visible;
}

test("users who follow the feed while memberships change get exactly the events of their channels", async () => {
  const { next: start } = await chat.events.list({ after: "latest" });
  const controller = new AbortController();
  const received = new Map<string, Seen[]>(userIds.map((id) => [id, []]));
  const tokens = new Map<string, string>();
  await inParallel(userIds, async (id) => void tokens.set(id, await createToken(server.url, id)));
  const listen = async (id: string) => {
    const asUser = chatWith(server, tokens.get(id));
    const { signal } = controller;
    for await (const event of asUser.events.listen({ after: start, signal })) received.get(id)?.push(event);
  };
  // Half of them from the beginning, the others while everything changes: they begin by reading what was before.
  const listening = userIds.slice(0, userCount / 2).map(listen);
  await inParallel(userIds.slice(0, userCount / 2), async (id) => {
    const countAfterUpdate = async () => {
      await chat.users.update(id, { name: "Kim" });
      return received.get(id)?.length;
    };
    await expect.poll(countAfterUpdate, { interval: 100 }).toBeGreaterThan(0);
  });
  const half = Math.floor(changes / 2);
  await inParallel(numbered("change", half), change);
  listening.push(...userIds.slice(userCount / 2).map(listen));
  await inParallel(numbered("change", changes - half), change);
  const { next: end } = await chat.events.list({ after: "latest" });
  const feed: Seen[] = [];
  for (let after = start; after !== end; ) {
    const page = await chat.events.list({ after, pageSize: 500 });
    feed.push(...page.events);
    if (page.events.length === 0) break;
    after = page.next;
  }
  for (const id of userIds.slice(0, userCount / 2)) {
    const { size } = judge(feed, id);
    await expect.poll(() => received.get(id)?.length ?? 0).toBeGreaterThanOrEqual(size);
  }
  // Time for an event that would come twice.
  await sleep(isLong ? 5_000 : 500);
  controller.abort();
  await Promise.allSettled(listening);
  const order = new Map(feed.map(({ event_id }, index) => [event_id, index]));
  let total = 0;
  for (const [index, id] of userIds.entries()) {
    const visible = judge(feed, id);
    const got = (received.get(id) ?? []).map(({ event_id }) => event_id);
    total += got.length;
    expect(
      got.filter((one) => order.has(one) && !visible.has(one)),
      `${id} sees others`,
    ).toEqual([]);
    expect(new Set(got).size, `${id} gets each once`).toBe(got.length);
    expect(got.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))).toEqual(got);
    // Who listens from the beginning misses nothing. The others do not get what was in channels that they have left.
    if (index < userCount / 2) expect(new Set(got), `${id} misses nothing`).toEqual(visible);
  }
  expect(total).toBeGreaterThan(userCount);
}, 900_000);

test("a stream that catches up misses nothing of a channel that its user joins during its read", async () => {
  await chat.users.create({ user_id: "late_01", name: "Late" });
  await chat.channels.create({ channel_id: "late_room", name: "Room", members: [] });
  const { userPk } = await requireTokenUser(server.db, "late_01");
  const numbering = new Numbering(server.db, pino({ level: "silent" }));
  let beforeRead: (() => Promise<unknown>) | undefined;
  const db: Database = {
    ...server.db,
    async query(statement, values) {
      // Citus has a form of its own.
      const work = statement.name.startsWith("events.read-of-user") ? beforeRead : undefined;
      beforeRead = work === undefined ? beforeRead : undefined;
      await work?.();
      return server.db.query(statement, values);
    },
  };
  const feed = new LiveFeed({
    db,
    numbering,
    cursors: createCursors({ derive: () => Buffer.alloc(32) }, Buffer.alloc(0)),
    attachments: { addressesFor: () => () => "" },
    logger: pino({ level: "silent" }),
  });
  const follow = (position: FeedPosition) => {
    const types: string[] = [];
    feed.follow(
      position,
      { acting: { userId: "late_01", userPk, publicMeta: new Set() } },
      {
        takeTurn: (read) => read(),
        receive: ({ events }) => void types.push(...events.map(({ type }) => type)),
        drained: async () => undefined,
        end: () => undefined,
      },
    );
    return types;
  };
  await numbering.catchUp();
  const start = await findLatest(server.db);
  await chat.users.update("late_01", { name: "Later" });
  await numbering.catchUp();
  const live = follow(await findLatest(server.db));
  await chat.users.update("late_01", { name: "Latest" });
  await expect.poll(() => live).toEqual(["user.updated"]);
  // The read of the second one waits for a connection, for example.
  beforeRead = async () => {
    await chat.channels.members.join("late_room", "late_01");
    await chat.messages.send("late_room", { user_id: "late_01", type: "text", content: "Hi" });
    await chat.messages.send("late_room", { type: "system", content: "Hi" });
    await expect.poll(() => live.length).toBe(4);
  };
  const late = follow(start);
  await expect.poll(() => late.length).toBeGreaterThan(4);
  await sleep(100);
  expect(late).toEqual(["user.updated", ...live]);
  feed.close();
  await numbering.close();
});

test("a listener that resumes after its user left and joined again gets what happened while the user was in the channel", async () => {
  await chat.users.create({ user_id: "back_01", name: "Back" });
  await chat.channels.create({ channel_id: "back_room", name: "Room", members: ["back_01"] });
  const { next: start } = await chat.events.list({ after: "latest" });
  const send = (content: string) => chat.messages.send("back_room", { type: "system", content });
  await send("first stay");
  await chat.channels.managers.add("back_room", "back_01");
  await chat.channels.members.leave("back_room", "back_01");
  await send("as a manager");
  await chat.channels.managers.remove("back_room", "back_01");
  await send("away");
  await chat.channels.members.join("back_room", "back_01");
  await send("second stay");
  const asUser = chatWith(server, await createToken(server.url, "back_01"));
  const types = [
    "message.created",
    "manager.added",
    "member.left",
    "message.created",
    "manager.removed",
    "member.joined",
    "message.created",
  ];
  const { events } = await asUser.events.list({ after: start, pageSize: 500 });
  expect(events.map(({ type }) => type)).toEqual(types);
  const received: string[] = [];
  for await (const { type } of asUser.events.listen({ after: start }))
    if (received.push(type) === types.length) break;
  expect(received).toEqual(types);
});
