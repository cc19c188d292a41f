import { randomBytes } from "node:crypto";
import { verifyWebhook } from "@madang/client/webhooks";
import pino from "pino";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { Numbering } from "../../src/modules/events/numbering/numbering";
import { Deliveries, type DeliveryDeps } from "../../src/modules/webhooks/delivery/deliver";
import { sweepQueues } from "../../src/modules/webhooks/delivery/queue-store";
import { createReceivers } from "../../src/modules/webhooks/delivery/receivers";
import { createAddressRules } from "../../src/security/address-rules";
import { openKeyMaker } from "../../src/security/secret";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { type Receiver, respondWith, startReceiver } from "../support/receiver";
import { masterKey, startServer, startServerOn } from "../support/server";

const receivers = createReceivers({ rules: createAddressRules(["127.0.0.0/8"]), timeoutMs: 5_000 });
const logger = pino({ level: "silent" });
let clock = 0;
const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" };
const server = await startServer({ settings, now: () => Date.now() + clock });
const chat = chatWith(server);
const keyMaker = await openKeyMaker(server.db, { current: masterKey }, randomBytes);
afterAll(async () => {
  receivers.close();
  await server.close();
});

const opened: (() => Promise<unknown>)[] = [];
const numberings = new Set<Numbering>();
let round = 0;
let user = "";
let channel = "";
beforeEach(async () => {
  round += 1;
  user = `user_${round}`;
  channel = `room_${round}`;
  await chat.users.create({ user_id: user, name: "Kim" });
  await chat.channels.create({ channel_id: channel, name: "Lunch", members: [user] });
});
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
  for (const { webhook_id } of await chat.webhooks.list()) await chat.webhooks.delete(webhook_id);
  clock = 0;
});

/** Delivers as a process of the server does. Jitter is off. */
function deliver(change: Partial<DeliveryDeps> = {}): Deliveries {
  const numbering = new Numbering(server.db, logger);
  numberings.add(numbering);
  const deliveries = new Deliveries({
    db: server.db,
    numbering,
    keyMaker,
    receivers,
    now: Date.now,
    random: () => 0.5,
    attachments: { addressesFor: () => () => "" },
    logger,
    ...change,
  });
  opened.push(async () => {
    await deliveries.stop();
    await numbering.close();
    numberings.delete(numbering);
  });
  return deliveries;
}

async function receive(): Promise<Receiver> {
  const receiver = await startReceiver();
  opened.push(receiver.close);
  return receiver;
}

/** Meanwhile, events are numbered as soon as in the process that has committed them. Of those of another one, it looks once a second. */
const until = <Value>(condition: () => Value) =>
  expect.poll(
    () => {
      for (const numbering of numberings) numbering.wake();
      return condition();
    },
    { interval: 10 },
  );
const say = (content: string, channelId = channel) =>
  chat.messages.send(channelId, { user_id: user, type: "text", content });
const contents = ({ deliveries }: Receiver) => deliveries.map(({ event }) => event.data.message?.content);
const attemptsOf = (webhookId: string) => chat.webhooks.attempts(webhookId).toArray();
/** Time may pass only then: the time of the next attempt counts from when this one is recorded. */
const untilRecorded = (webhookId: string, count: number) =>
  until(async () => (await attemptsOf(webhookId)).length).toBe(count);

/** Lets time pass by the clock of the database: everything that deliveries have dated gets older. */
const pass = (ms: number) => server.db.query(makeOlder, [ms]);
const makeOlder = {
  name: "test.make-older",
  text: `WITH queues AS (UPDATE webhook_queues SET due_at = due_at - $1), attempts AS (
      UPDATE webhook_attempts SET created_at = created_at - $1)
    UPDATE webhooks SET failing_since = failing_since - $1`,
};
/** The time from the last attempt to the next one of the only queue. */
async function delayAfter(webhookId: string) {
  const [queue] = await server.db.query<{ dueAt: number }>(findDue);
  const [last] = await attemptsOf(webhookId);
  return (queue?.dueAt ?? 0) - (last?.created_at ?? 0);
}
const findDue = { name: "test.find-due", text: 'SELECT due_at AS "dueAt" FROM webhook_queues' };

test("every change is delivered as its event, signed so that the SDK verifies it", async () => {
  const receiver = await receive();
  const { secret } = await chat.webhooks.create({ url: receiver.url });
  deliver();
  // An event shows the sender as it is when the event is read, so the sender changes first.
  await chat.users.update(user, { name: "Park" });
  await say("one");
  await until(() => receiver.deliveries.map(({ event }) => event.type).sort()).toEqual([
    "message.created",
    "user.updated",
  ]);
  const { events } = await listEvents();
  for (const { headers, text, event } of receiver.deliveries) {
    expect(await verifyWebhook(secret, headers, text)).toEqual(event);
    expect(headers["webhook-id"]).toBe(event.event_id);
    expect(headers["content-type"]).toBe("application/json");
    expect(events).toContainEqual(event);
  }
});

async function listEvents(query = "after=latest"): Promise<{ events: unknown[]; next: string }> {
  if (query !== "after=latest") return (await call(server.url, "GET", `/v1/events?${query}`)).body;
  let page = (await call(server.url, "GET", "/v1/events?limit=500")).body;
  const events = [...page.events];
  while (page.events.length > 0) {
    page = (await call(server.url, "GET", `/v1/events?limit=500&after=${encodeURIComponent(page.next)}`))
      .body;
    events.push(...page.events);
  }
  return { events, next: page.next };
}

test("an event that is committed after later ones of its channel, as that of a reaction may be, is delivered", async () => {
  const receiver = await receive();
  await chat.webhooks.create({ url: receiver.url });
  deliver();
  await server.db.channel(channel).transaction(async (tx) => {
    await tx.query(insertEvent, [channel]);
    await say("one");
    await until(() => contents(receiver)).toEqual(["one"]);
  });
  const types = () => new Set(receiver.deliveries.map(({ event }) => event.type));
  await until(types).toEqual(new Set(["message.created", "channel.updated"]));
});

const insertEvent = {
  name: "test.insert-event",
  text: `INSERT INTO events (type, channel_pk, channel_id)
    SELECT 'channel.updated', pk, channel_id FROM channels WHERE channel_id = $1 RETURNING 1`,
};

test("a deleted webhook leaves no position", async () => {
  const { webhook_id } = await chat.webhooks.create({ url: (await receive()).url });
  const consumer = { where: { name: webhook_id } };
  expect(await server.db.prisma.consumer.findUnique(consumer)).not.toBeNull();
  await chat.webhooks.delete(webhook_id);
  await sweepQueues(server.db);
  expect(await server.db.prisma.consumer.findUnique(consumer)).toBeNull();
});

test("a webhook with types gets these alone", async () => {
  const receiver = await receive();
  await chat.webhooks.create({ url: receiver.url, types: ["message.deleted"] });
  deliver();
  const { message_id } = await say("one");
  await chat.messages.update(channel, message_id, { content: "two" });
  await chat.messages.delete(channel, message_id);
  await until(() => receiver.deliveries.length).toBe(1);
  expect(receiver.deliveries[0]?.event).toMatchObject({ type: "message.deleted", data: { message_id } });
  expect(receiver.deliveries[0]?.event.data.message).toBeUndefined();
});

test("two processes deliver every event once, and those of a channel in order", async () => {
  const receiver = await receive();
  await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  deliver();
  deliver();
  const other = `other_${round}`;
  await chat.channels.create({ channel_id: other, name: "Dinner", members: [user] });
  const expected = Array.from({ length: 40 }, (_, index) => `${index}`);
  for (const content of expected) await Promise.all([say(content), say(content, other)]);
  await until(() => receiver.deliveries.length).toBe(80);
  for (const id of [channel, other])
    expect(
      receiver.deliveries
        .filter(({ event }) => event.channel_id === id)
        .map(({ event }) => event.data.message.content),
    ).toEqual(expected);
});

test("an event that fails holds back those of its channel and no others", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  const deliveries = deliver();
  receiver.respond = ({ event }, response) => respondWith(response, event.channel_id === channel ? 500 : 204);
  const other = `other_${round}`;
  await chat.channels.create({ channel_id: other, name: "Dinner", members: [user] });
  await say("one");
  await say("two");
  await until(() => contents(receiver)).toEqual(["one"]);
  await say("elsewhere", other);
  await until(() => contents(receiver)).toEqual(["one", "elsewhere"]);
  await until(() => attemptsOf(webhook_id)).toMatchObject([{ status: 204 }, { attempt: 1, status: 500 }]);
  receiver.respond = (_delivery, response) => respondWith(response, 200);
  await pass(5_000);
  deliveries.wake();
  await until(() => contents(receiver)).toEqual(["one", "elsewhere", "one", "two"]);
});

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const schedule = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

test("an event is retried by the schedule, then abandoned, and the next one of the channel is delivered", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  const deliveries = deliver();
  receiver.respond = ({ event }, response) =>
    respondWith(response, event.data.message.content === "one" ? 503 : 204);
  await say("one");
  await say("two");
  await untilRecorded(webhook_id, 1);
  for (const [index, delay] of schedule.entries()) {
    expect(await delayAfter(webhook_id)).toBe(delay);
    await pass(delay);
    deliveries.wake();
    await until(async () => (await attemptsOf(webhook_id)).length).toBeGreaterThanOrEqual(index + 2);
  }
  await until(() => contents(receiver)).toEqual([...Array.from({ length: 10 }, () => "one"), "two"]);
  // The receiver has an event before its attempt is recorded.
  await untilRecorded(webhook_id, 11);
  const attempts = (await attemptsOf(webhook_id)).toReversed();
  expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
});

test("a process whose clock is 30 days ahead retries when the others would, and disables no webhook", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  receiver.respond = (_delivery, response) => respondWith(response, 500);
  const deliveries = deliver();
  await say("one");
  await untilRecorded(webhook_id, 1);
  await deliveries.stop();
  const ahead = deliver({ now: () => Date.now() + 30 * 24 * hour });
  await pass(5 * second);
  ahead.wake();
  await untilRecorded(webhook_id, 2);
  const [last] = await attemptsOf(webhook_id);
  expect(last?.created_at).toBeLessThan(Date.now() + hour);
  expect(await delayAfter(webhook_id)).toBe(5 * minute);
  // Stopped, it has done what follows an attempt.
  await ahead.stop();
  expect(await chat.webhooks.get(webhook_id)).toMatchObject({ enabled: true });
});

test("410 disables the webhook, which an event reports to the others", async () => {
  const [gone, watching] = [await receive(), await receive()];
  const { webhook_id } = await chat.webhooks.create({ url: gone.url, types: ["message.created"] });
  await chat.webhooks.create({ url: watching.url, types: ["webhook.disabled"] });
  gone.respond = (_delivery, response) => respondWith(response, 410);
  deliver();
  await say("one");
  await until(() => watching.deliveries.map(({ event }) => event.data)).toEqual([{ webhook_id }]);
  expect(await chat.webhooks.get(webhook_id)).toMatchObject({ enabled: false });
  await say("two");
  await say("three");
  expect(gone.deliveries).toHaveLength(1);
});

test("410 from the address before does not disable a webhook that got another one meanwhile", async () => {
  const [gone, next] = [await receive(), await receive()];
  const { webhook_id } = await chat.webhooks.create({ url: gone.url, types: ["message.created"] });
  const answered = Promise.withResolvers<void>();
  gone.respond = (_delivery, response) => void answered.promise.then(() => respondWith(response, 410));
  const deliveries = deliver();
  await say("one");
  await until(() => gone.deliveries.length).toBe(1);
  await chat.webhooks.update(webhook_id, { url: next.url });
  answered.resolve();
  await untilRecorded(webhook_id, 1);
  await pass(5 * second);
  deliveries.wake();
  await until(() => contents(next)).toEqual(["one"]);
  expect(await chat.webhooks.get(webhook_id)).toMatchObject({ enabled: true });
});

test("the next event of a channel goes to the new address, although the attempt before it ran when the address changed", async () => {
  const [before, next] = [await receive(), await receive()];
  const { webhook_id } = await chat.webhooks.create({ url: before.url, types: ["message.created"] });
  const answered = Promise.withResolvers<void>();
  before.respond = (_delivery, response) => void answered.promise.then(() => respondWith(response, 200));
  await say("one");
  await say("two");
  const deliveries = deliver();
  await until(() => before.deliveries.length).toBe(1);
  await chat.webhooks.update(webhook_id, { url: next.url });
  answered.resolve();
  await untilRecorded(webhook_id, 1);
  deliveries.wake();
  await until(() => contents(next)).toEqual(["two"]);
  expect(contents(before)).toEqual(["one"]);
});

test.each([
  ["fails", 500, ["one"]],
  ["succeeds", 200, []],
] as const)(
  "when a repeated attempt to the address before %s, a new address gets at once what that did not accept",
  async (_, status, expected) => {
    const [broken, next] = [await receive(), await receive()];
    broken.respond = (_delivery, response) => respondWith(response, 500);
    const { webhook_id } = await chat.webhooks.create({ url: broken.url, types: ["message.created"] });
    const deliveries = deliver();
    await say("one");
    await untilRecorded(webhook_id, 1);
    const answered = Promise.withResolvers<void>();
    broken.respond = (_delivery, response) => void answered.promise.then(() => respondWith(response, status));
    await pass(5 * second);
    deliveries.wake();
    await until(() => broken.deliveries.length).toBe(2);
    await chat.webhooks.update(webhook_id, { url: next.url });
    answered.resolve();
    // After a failure, the attempt at the new address may be recorded, too, before this looks.
    await until(async () => (await attemptsOf(webhook_id)).length).toBeGreaterThanOrEqual(2);
    await say("two");
    deliveries.wake();
    await until(() => contents(next)).toEqual([...expected, "two"]);
    // What succeeded is not sent again, to whichever address.
    if (status === 200) expect(contents(broken)).toEqual(["one", "one"]);
  },
);

test("five days of nothing but failures disable a webhook; enabled again, it gets what it missed", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  receiver.respond = (_delivery, response) => respondWith(response, 500);
  const deliveries = deliver();
  await say("one");
  await untilRecorded(webhook_id, 1);
  await pass(5 * 24 * hour - minute);
  deliveries.wake();
  await untilRecorded(webhook_id, 2);
  expect(await chat.webhooks.get(webhook_id)).toMatchObject({ enabled: true });
  await pass(hour);
  deliveries.wake();
  await until(async () => (await chat.webhooks.get(webhook_id)).enabled).toBe(false);
  await say("two");
  const before = receiver.deliveries.length;
  receiver.respond = (_delivery, response) => respondWith(response, 204);
  await chat.webhooks.update(webhook_id, { enabled: true });
  deliveries.wake();
  await until(() => contents(receiver).slice(before)).toEqual(["one", "two"]);
});

test("a success ends the days of failures", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  let status = 500;
  receiver.respond = (_delivery, response) => respondWith(response, status);
  const deliveries = deliver();
  await say("one");
  await untilRecorded(webhook_id, 1);
  status = 204;
  await pass(4 * 24 * hour);
  deliveries.wake();
  await untilRecorded(webhook_id, 2);
  expect(contents(receiver)).toEqual(["one", "one"]);
  status = 500;
  await pass(2 * 24 * hour);
  await say("two");
  await untilRecorded(webhook_id, 3);
  expect(await chat.webhooks.get(webhook_id)).toMatchObject({ enabled: true });
});

test("a receiver that hangs delays neither another receiver nor a request", async () => {
  const [hanging, other] = [await receive(), await receive()];
  await chat.webhooks.create({ url: hanging.url });
  await chat.webhooks.create({ url: other.url, types: ["message.created"] });
  hanging.respond = () => undefined;
  deliver();
  const channels = Array.from({ length: 30 }, (_, index) => `many_${round}_${index}`);
  for (const id of channels)
    await chat.channels.create({ channel_id: id, name: "Many", members: [user] }).then(() => say("one", id));
  await until(() => other.deliveries.length).toBe(30);
  expect(hanging.deliveries.length).toBeGreaterThan(0);
});

test("a replay delivers the events after a cursor again, in order", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  const deliveries = deliver();
  await say("one");
  await until(() => contents(receiver)).toEqual(["one"]);
  const { next } = await listEvents();
  for (const content of ["two", "three"]) await say(content);
  await until(() => contents(receiver)).toEqual(["one", "two", "three"]);
  await chat.webhooks.replay(webhook_id, next);
  deliveries.wake();
  await untilRecorded(webhook_id, 5);
  expect(contents(receiver)).toEqual(["one", "two", "three", "two", "three"]);
  const [last] = await attemptsOf(webhook_id);
  await chat.webhooks.replay(webhook_id, last?.after ?? "");
  deliveries.wake();
  await until(() => contents(receiver)).toEqual(["one", "two", "three", "two", "three", "three"]);
  await expect(chat.webhooks.replay(webhook_id, "latest")).rejects.toMatchObject({ code: "invalid_cursor" });
});

test("a replay delivers a failed event at once, although its next attempt is due much later", async () => {
  const receiver = await receive();
  receiver.respond = ({ event }, response) =>
    respondWith(response, event.type === "user.created" ? 503 : 500);
  const { webhook_id } = await chat.webhooks.create({
    url: receiver.url,
    types: ["message.created", "user.created"],
  });
  const deliveries = deliver();
  await say("one");
  await chat.users.create({ user_id: `failed_${webhook_id.slice(3, 9)}`, name: "Failed" });
  await untilRecorded(webhook_id, 2);
  await server.db.query({
    name: "test.wait-a-day",
    text: "UPDATE webhook_queues SET due_at = due_at + 86400000 RETURNING 1",
  });
  receiver.deliveries.length = 0;
  receiver.respond = (_delivery, response) => respondWith(response, 204);
  const first = (await attemptsOf(webhook_id)).find(({ status }) => status === 500);
  await chat.webhooks.replay(webhook_id, first?.after ?? "");
  deliveries.wake();
  await until(() => receiver.deliveries.map(({ event }) => event.type).toSorted()).toEqual([
    "message.created",
    "user.created",
  ]);
});

test("the cursor of an attempt is before its event, whatever else was committed before and with it", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url });
  deliver();
  await server.db.channel(channel).transaction(async (tx) => {
    // Committed last, its event has a lower key than the others, and its transaction runs in the snapshots of their ranges.
    await tx.query(insertEvent, [channel]);
    for (const content of ["one", "two", "three"]) await say(content);
    await until(() => contents(receiver)).toEqual(["one", "two", "three"]);
  });
  await chat.users.update(user, { name: "Park" });
  await untilRecorded(webhook_id, 5);
  const feed = await chat.events.list({ pageSize: 500 });
  const ids = feed.events.map(({ event_id }) => event_id);
  for (const { event_id, after = "" } of await attemptsOf(webhook_id)) {
    const { events } = await chat.events.list({ after });
    expect(events.map((event) => event.event_id)).toEqual(ids.slice(ids.indexOf(event_id)));
  }
});

test("a delivery that a dead process began is made by another one after 30 seconds", async () => {
  const receiver = await receive();
  await chat.webhooks.create({ url: receiver.url, types: ["message.created"] });
  const dead = deliver({ receivers: { ...receivers, post: () => new Promise(() => undefined) } });
  await say("one");
  const claimed = { name: "test.claimed", text: "SELECT 1 FROM webhook_queues WHERE is_claimed" };
  await until(() => server.db.query(claimed)).toHaveLength(1);
  await dead.stop();
  const alive = deliver();
  await say("two");
  await pass(20_000);
  alive.wake();
  expect(receiver.deliveries).toEqual([]);
  await pass(10_000);
  alive.wake();
  await until(() => contents(receiver)).toEqual(["one", "two"]);
});

test("the time of the last change advances with every change, also when the clock was set back", async () => {
  const { webhook_id, updated_at } = await chat.webhooks.create({ url: (await receive()).url });
  clock = -hour;
  const changed = await chat.webhooks.update(webhook_id, { description: "one" });
  const rotated = await chat.webhooks.rotate(webhook_id);
  expect([changed.updated_at, rotated.updated_at]).toEqual([updated_at + 1, updated_at + 2]);
});

test("after a rotation both secrets sign for 24 hours, and no secret is in the database", async () => {
  const receiver = await receive();
  const old = await chat.webhooks.create({ url: receiver.url });
  const { webhook_id, secret } = await chat.webhooks.rotate(old.webhook_id);
  expect(await chat.webhooks.ping(webhook_id)).toEqual({ status: 204, duration_ms: expect.any(Number) });
  const [first] = receiver.deliveries;
  for (const known of [old.secret, secret])
    expect(await verifyWebhook(known, first?.headers ?? {}, first?.text ?? "")).toMatchObject({
      type: "webhook.ping",
      data: { webhook_id },
    });
  clock = 24 * hour;
  await chat.webhooks.ping(webhook_id);
  expect(receiver.deliveries[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
  const rows = await server.db.query<{ row: string }>({
    name: "test.all-webhooks",
    text: "SELECT encode(secret || coalesce(previous_secret, ''), 'escape') || webhooks::text AS row FROM webhooks",
  });
  for (const { row } of rows)
    for (const known of [old.secret, secret]) expect(row).not.toContain(known.slice(6, 20));
});

test("a repeated request with the same idempotency key pings once and creates once", async () => {
  const receiver = await receive();
  const create = () =>
    call(server.url, "POST", "/v1/webhooks", {
      body: { url: receiver.url },
      idempotencyKey: `create-${round}`,
    });
  const [first, second] = [await create(), await create()];
  expect(second.body).toEqual(first.body);
  const path = `/v1/webhooks/${first.body.webhook_id}/ping`;
  const ping = () => call(server.url, "POST", path, { idempotencyKey: `ping-${round}` });
  const [sent, repeated] = [await ping(), await ping()];
  expect(repeated.body).toEqual(sent.body);
  expect(repeated.headers.get("Idempotent-Replayed")).toBe("true");
  expect(receiver.deliveries).toHaveLength(1);
});

test("a ping whose webhook is deleted meanwhile still reports the outcome", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url });
  receiver.respond = async (_delivery, response) => {
    await chat.webhooks.delete(webhook_id);
    respondWith(response, 204);
  };
  expect(await chat.webhooks.ping(webhook_id)).toMatchObject({ status: 204 });
  await expect(chat.webhooks.get(webhook_id)).rejects.toMatchObject({ code: "webhook_not_found" });
});

test("a ping of a receiver that hangs reports it, however long a response may make no progress", async () => {
  const timeouts = { headersTimeout: 1_000, requestTimeout: 1_000, keepAliveTimeout: 1_000 };
  const impatient = await startServerOn(server.databaseUrl, {
    settings: { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8" },
    receivers: { timeoutMs: 900 },
    timeouts: { ...timeouts, timeout: 300, connectionsCheckingInterval: 100 },
  });
  opened.push(impatient.close);
  const receiver = await receive();
  receiver.respond = () => undefined;
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url });
  const { status, body } = await call(impatient.url, "POST", `/v1/webhooks/${webhook_id}/ping`);
  expect([status, body.error]).toEqual([200, "There was no response within 0.9 s."]);
});

test("a ping has no cursor for a replay, and the one of an event that is no longer stored has expired", async () => {
  const receiver = await receive();
  const { webhook_id } = await chat.webhooks.create({ url: receiver.url });
  deliver();
  await say("one");
  await untilRecorded(webhook_id, 1);
  await chat.webhooks.ping(webhook_id);
  const [ping, attempt] = await attemptsOf(webhook_id);
  expect(ping?.after).toBeUndefined();
  await server.db.query({ name: "test.forget-events", text: "DELETE FROM events RETURNING 1" });
  const replay = chat.webhooks.replay(webhook_id, attempt?.after ?? "");
  await expect(replay).rejects.toMatchObject({ code: "events_expired" });
});
