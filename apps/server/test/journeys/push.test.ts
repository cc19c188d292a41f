import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { bind } from "../../src/http/listen/bind";
import { listDueServices, measurePushes, sweepPushes } from "../../src/modules/push/delivery/queue-store";
import { call, type Reply } from "../support/call";
import { chatWith } from "../support/chat";
import { type PushReceiver, type Subscription, startPushReceiver } from "../support/push-receiver";
import { createPushSettings } from "../support/push-settings";
import { createToken } from "../support/replay";
import { readMetrics, startServer, startServerOn, type TestServer } from "../support/server";
import { untilBlocking, untilWaitingNext } from "../support/until-blocking";

const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8", MADANG_PUSH_DELAY_MS: "300" };
const server = await startServer({ settings, hasBackgroundTasks: true });
const chat = chatWith(server);
afterAll(server.close);

let round = 0;
let receiver: PushReceiver;
let [kim, park, room] = ["", "", ""];
const opened: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  round += 1;
  [kim, park, room] = [`kim_${round}_01`, `park_${round}_01`, `room_${round}`];
  const { body } = await call(server.url, "GET", "/v1/push");
  receiver = await startPushReceiver(body.webpush.public_key);
  opened.push(receiver.close);
  for (const [user_id, name] of [
    [kim, "Kim"],
    [park, "Park"],
  ] as const)
    await chat.users.create({ user_id, name });
  await chat.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });
});
afterEach(async () => {
  expect(receiver.faults).toEqual([]);
  for (const close of opened.splice(0).reverse()) await close();
});

const put = (path: string, body?: unknown) => call(server.url, "PUT", path, { body });
const remove = (path: string) => call(server.url, "DELETE", path);
const until = (condition: () => unknown) => expect.poll(condition, { interval: 20, timeout: 15_000 });
const register = (userId: string, id: string, { device }: Subscription): Promise<Reply> =>
  put(`/v1/users/${userId}/devices/${id}`, device);
const devicesOf = async (userId: string) =>
  (await call(server.url, "GET", `/v1/users/${userId}/devices`)).body.devices;
const say = (content: string, fields: object = {}) =>
  chat.messages.send(room, { user_id: kim, type: "text", content, ...fields });
const payloads = () => receiver.pushes.map(({ payload }) => payload);
const bodies = () => payloads().map(({ body }) => body);

/** What waits to be pushed of the room, and of those whose names begin with its name. */
const waitingIn = ({ db }: Pick<TestServer, "db">) =>
  db.query<{ readonly attempt: number; readonly isClaimed: boolean; readonly delayMs: number }>({
    name: `test.waiting-${round}`,
    text: `SELECT attempt, is_claimed AS "isClaimed", (due_at - created_at)::int AS "delayMs" FROM push_entries
      WHERE starts_with(channel_id, '${room}')`,
  });

/** Everything that was sent before is pushed, or never will be: what comes later is. */
async function settle(): Promise<void> {
  const last = receiver.subscribe();
  const id = `${room}_last`;
  const [sender, reader] = [`sender_${round}`, `reader_${round}`];
  for (const user_id of [sender, reader])
    await chat.users.create({ user_id, name: "Last" }).catch(() => undefined);
  await chat.channels
    .create({ channel_id: id, name: "Last", members: [sender, reader] })
    .catch(() => undefined);
  await register(reader, "last", last);
  await chat.messages.send(id, { user_id: sender, type: "text", content: "last" });
  await until(() => receiver.pushes.filter(({ path }) => path === last.path).length).toBe(1);
  // It may have overtaken others, which are sent one after another.
  await until(async () => (await waitingIn(server)).filter(({ attempt }) => attempt === 0)).toEqual([]);
  await remove(`/v1/users/${reader}/devices/last`);
  receiver.pushes.splice(
    receiver.pushes.findIndex(({ path }) => path === last.path),
    1,
  );
}

test("a message is pushed to each device of each participant who is not its sender", async () => {
  const [phone, laptop, own] = [receiver.subscribe(), receiver.subscribe(), receiver.subscribe()];
  expect((await register(park, "phone", phone)).status).toBe(200);
  await register(park, "laptop", laptop);
  await register(kim, "phone", own);
  const sent = await say("See you at noon.");
  await until(() => receiver.pushes.length).toBe(2);
  await settle();
  expect(receiver.pushes.map(({ path }) => path).sort()).toEqual([phone.path, laptop.path].sort());
  expect(payloads()[0]).toEqual({
    type: "message",
    channel_id: room,
    channel_name: "Lunch",
    message_id: sent.message_id,
    user_id: kim,
    user_name: "Kim",
    title: "Kim",
    body: "See you at noon.",
    created_at: sent.created_at,
    unread_count: 1,
  });
  const [push] = receiver.pushes;
  expect(push?.headers).toMatchObject({ ttl: "86400", urgency: "high" });
  const [shown] = await devicesOf(park);
  expect(shown.last_push).toEqual({ at: expect.any(Number), status: 201 });
});

test("a streamed message is pushed once, at its end, with its whole text", async () => {
  await register(park, "phone", receiver.subscribe());
  const { message_id } = await say("It ", { streaming: true });
  await chat.messages.append(room, message_id, { index: 0, content: "grows." });
  await settle();
  expect(bodies()).toEqual([]);
  await chat.messages.finish(room, message_id, { state: "done" });
  await chat.messages.update(room, message_id, { content: "It grew." });
  await until(() => receiver.pushes.length).toBe(1);
  await settle();
  expect(bodies()).toEqual(["It grew."]);
});

test("a streamed message that ends within the delay is pushed once", async () => {
  await register(park, "phone", receiver.subscribe());
  const { message_id } = await say("Quick", { streaming: true });
  await chat.messages.finish(room, message_id, { state: "done" });
  await settle();
  await settle();
  expect(bodies()).toEqual(["Quick"]);
});

test("an edit, an import and an empty message are not pushed", async () => {
  await register(park, "phone", receiver.subscribe());
  const { message_id } = await say("First");
  await until(() => receiver.pushes.length).toBe(1);
  await chat.messages.update(room, message_id, { content: "Second" });
  await chat.imports.messages(room, [{ user_id: kim, type: "text", content: "Old", created_at: Date.now() }]);
  const empty = await say("", { streaming: true });
  await chat.messages.finish(room, empty.message_id, { state: "cancelled" });
  await settle();
  expect(bodies()).toEqual(["First"]);
});

test("a system message has the name of the channel as its title, and goes to everybody", async () => {
  await register(park, "phone", receiver.subscribe());
  await register(kim, "phone", receiver.subscribe());
  await chat.messages.send(room, { type: "system", content: "Park joined." });
  await until(() => receiver.pushes.length).toBe(2);
  for (const payload of payloads()) {
    expect(payload).toMatchObject({ title: "Lunch", body: "Park joined." });
    expect(payload).not.toHaveProperty("user_id");
  }
});

test("in a channel of more than two, the title has the sender and the channel", async () => {
  await chat.users.create({ user_id: `lee_${round}_01`, name: "Lee" });
  await chat.channels.members.join(room, `lee_${round}_01`);
  await register(park, "phone", receiver.subscribe());
  await say("Noon?");
  await until(() => payloads().map(({ title }) => title)).toEqual(["Kim (Lunch)"]);
});

test("a long text is cut to 300 characters, and names of files stand for messages without one", async () => {
  await register(park, "phone", receiver.subscribe());
  await say("😀".repeat(301));
  await say("나".repeat(300));
  const file = { type: "image/png", name: "menu.png", url: "https://example.com/menu.png", size: 1 };
  await chat.messages.send(room, { user_id: kim, type: "file", file });
  await until(() => bodies()).toEqual([`${"😀".repeat(299)}…`, "나".repeat(300), "menu.png"]);
});

test("a notification with the longest names and control characters fits", async () => {
  await chat.users.update(kim, { name: "\u0001".repeat(80) });
  await chat.channels.update(room, { name: "\u0002".repeat(150) });
  await register(park, "phone", receiver.subscribe());
  await say("\u0003".repeat(300));
  await until(() => receiver.pushes.length).toBe(1);
});

test("a device belongs to the user who registered it last", async () => {
  const shared = receiver.subscribe();
  await register(kim, "tablet", shared);
  await register(park, "tablet", shared);
  expect(await devicesOf(kim)).toEqual([]);
  await say("For Park");
  await chat.messages.send(room, { user_id: park, type: "text", content: "For Kim" });
  await settle();
  expect(bodies()).toEqual(["For Park"]);
});

test("a user has at most 25 devices, under concurrency too; the oldest one is replaced", async () => {
  for (let index = 0; index < 24; index++) await register(park, `device-${index}`, receiver.subscribe());
  await register(park, "device-0", receiver.subscribe());
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => register(park, `further-${index}`, receiver.subscribe())),
  );
  const ids = (await devicesOf(park)).map(({ device_id }: { device_id: string }) => device_id);
  expect(ids).toHaveLength(25);
  expect(ids).toContain("device-0");
  expect(ids).not.toContain("device-1");
  expect(ids.filter((id: string) => id.startsWith("further-"))).toHaveLength(10);
});

test("a request whose token is revoked meanwhile registers no device, on any process", async () => {
  const other = await startServerOn(server.databaseUrl, { settings });
  opened.push(other.close);
  const path = `/v1/users/${park}/devices/phone`;
  const registerAs = (key: string) =>
    call(other.url, "PUT", path, { key, body: receiver.subscribe().device });
  const token = await createToken(server.url, park);
  const { registering, revoked } = await server.db.transaction(async (tx) => {
    const query = (sql: string) => tx.query({ name: `test.${sql.length}`, text: sql });
    await query(`SELECT 1 FROM users WHERE user_id = '${park}' FOR UPDATE`);
    const revoked = chat.users.revokeTokens(park);
    await untilBlocking(query);
    // It was authenticated before the tokens are revoked, and waits behind that.
    const registering = registerAs(token);
    await untilWaitingNext(query);
    return { registering, revoked };
  });
  await revoked;
  expect((await registering).body.code).toBe("unauthenticated");
  expect(await devicesOf(park)).toEqual([]);
  expect((await registerAs(await createToken(server.url, park))).status).toBe(200);
});

test("users who register the same endpoint at once end with one device", async () => {
  const shared = receiver.subscribe();
  for (let count = 0; count < 10; count++) {
    const replies = await Promise.all(
      [kim, park, kim, park].map((user, index) => register(user, `tablet-${index}`, shared)),
    );
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect([...(await devicesOf(kim)), ...(await devicesOf(park))]).toHaveLength(1);
  }
});

const setIn = (channel: string, user: string, preferences: object) =>
  chat.channels.members.setPreferences(channel, user, preferences);
const set = (preferences: object) => setIn(room, park, preferences);

interface Sent {
  readonly from: string;
  readonly to: string;
  readonly channel: string;
  readonly message: string;
}

const ends: readonly (readonly [string, (sent: Sent) => Promise<unknown>])[] = [
  ["signing out", ({ to }) => remove(`/v1/users/${to}/devices/phone`)],
  ["revoking the tokens", ({ to }) => chat.users.revokeTokens(to)],
  ["leaving the channel", ({ channel, to }) => chat.channels.members.leave(channel, to)],
  ["a block of the sender", ({ from, to }) => chat.users.blocks.add(to, from)],
  ["notify: none", ({ channel, to }) => setIn(channel, to, { notify: "none" })],
  ["notify: mentions", ({ channel, to }) => setIn(channel, to, { notify: "mentions" })],
  ["quiet_until", ({ channel, to }) => setIn(channel, to, { quiet_until: Date.now() + 3_600_000 })],
  ["archiving the channel", ({ channel, to }) => setIn(channel, to, { archived: true })],
  ["hiding the channel", ({ channel, to }) => setIn(channel, to, { hidden: true })],
  ["a mark as read", ({ channel, to }) => chat.channels.members.markRead(channel, to)],
  ["the deletion of the message", ({ channel, message }) => chat.messages.delete(channel, message)],
  ["a ban", ({ channel, to }) => chat.channels.bans.add(channel, to)],
  ["the deletion of the user", ({ to }) => chat.users.delete(to)],
  ["the erasure of the user", ({ to }) => chat.privacy.erase({ user_id: to, messages: "keep" })],
  ["the deletion of the channel", ({ channel }) => chat.channels.delete(channel)],
  ["the erasure of the sender", ({ from }) => chat.privacy.erase({ user_id: from, messages: "erase" })],
];

test("nothing is pushed after what ends the wish for it", async () => {
  for (const [index, [name, end]] of ends.entries()) {
    const [from, to, channel] = [`from_${round}_${index}`, `to_${round}_${index}`, `${room}_${index}`];
    for (const user_id of [from, to]) await chat.users.create({ user_id, name: "Name" });
    await chat.channels.create({ channel_id: channel, name: "Lunch", members: [from, to] });
    await register(to, "phone", receiver.subscribe());
    // A push shows after what it was sent.
    const message = { user_id: from, type: "text", content: `after ${name}` } as const;
    const { message_id } = await chat.messages.send(channel, message);
    await end({ from, to, channel, message: message_id });
  }
  await settle();
  expect(bodies()).toEqual([]);
});

test("with notify: mentions, only what mentions the user is pushed; all again afterwards", async () => {
  await register(park, "phone", receiver.subscribe());
  await set({ notify: "mentions" });
  await say("Not for Park");
  await say("For Park", { mentions: [park] });
  await chat.messages.send(room, { type: "system", content: "Nobody" });
  await chat.messages.send(room, { type: "system", content: "Park again", mentions: [park] });
  await settle();
  expect(bodies()).toEqual(["For Park", "Park again"]);
  await set({ notify: "all" });
  await say("For all");
  await until(bodies).toEqual(["For Park", "Park again", "For all"]);
});

test("a mention breaks no silence and no block, and what was quiet is not pushed later", async () => {
  await register(park, "phone", receiver.subscribe());
  await set({ quiet_until: Date.now() + 3_600_000 });
  await say("Quiet", { mentions: [park] });
  await settle();
  await set({ quiet_until: null });
  await say("Loud");
  await until(bodies).toEqual(["Loud"]);
  await chat.users.create({ user_id: `lee_${round}`, name: "Lee" });
  await chat.channels.members.join(room, `lee_${round}`);
  await chat.users.blocks.add(park, kim);
  await say("Blocked", { mentions: [park] });
  await chat.messages.send(room, { user_id: `lee_${round}`, type: "text", content: "From Lee" });
  await until(bodies).toEqual(["Loud", "From Lee"]);
  await chat.users.blocks.remove(park, kim);
  await say("Unblocked");
  await until(bodies).toEqual(["Loud", "From Lee", "Unblocked"]);
});

test("a hidden channel is quiet until its next message", async () => {
  await register(park, "phone", receiver.subscribe());
  await say("Before");
  await until(bodies).toEqual(["Before"]);
  await set({ hidden: true });
  await say("After");
  await until(bodies).toEqual(["Before", "After"]);
});

test("what ends while the push service keeps a push waiting is not sent", async () => {
  const fcm = await startFcm();
  opened.push(fcm.close);
  const own = await startServer({
    settings: { ...settings, ...(await createPushSettings(`${fcm.url}/token`)) },
    pushUrls: { fcm: fcm.url },
    hasBackgroundTasks: true,
  });
  opened.push(own.close);
  const there = chatWith(own);
  for (const user_id of [kim, park]) await there.users.create({ user_id, name: "Name" });
  await there.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });
  const path = `/v1/users/${park}/devices`;
  for (const id of ["phone", "tablet"])
    await call(own.url, "PUT", `${path}/${id}`, { body: { provider: "fcm", token: `token-${id}` } });
  await there.messages.send(room, { user_id: kim, type: "text", content: "Slow" });
  await fcm.requested;
  await call(own.url, "DELETE", `${path}/phone`);
  await sleep(600);
  fcm.grant();
  await until(() => fcm.tokens).toEqual(["token-tablet"]);
});

/** A stand-in of Firebase, which grants its token late. */
async function startFcm() {
  const requested = Promise.withResolvers<void>();
  const granted = Promise.withResolvers<void>();
  const tokens: string[] = [];
  const service = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === "/token") {
      requested.resolve();
      await granted.promise;
      response.end(JSON.stringify({ access_token: "ya29", expires_in: 3_600 }));
    } else {
      tokens.push(JSON.parse(body).message.token);
      response.end("{}");
    }
  });
  const url = await bind(service, { PORT: 0, HOST: "127.0.0.1" });
  const close = async () => {
    service.closeAllConnections();
    service.close();
  };
  return { url, tokens, requested: requested.promise, grant: () => granted.resolve(), close };
}

test.each([404, 410])("a device that its push service answers with %i is removed", async (status) => {
  await register(park, "phone", receiver.subscribe());
  receiver.respond = (_push, response) => void response.writeHead(status).end();
  await say("Anybody there?");
  await until(() => devicesOf(park)).toEqual([]);
});

test("what fails is repeated as the push service says", async () => {
  await register(park, "phone", receiver.subscribe());
  receiver.respond = (_push, response) => {
    if (receiver.pushes.length > 1) response.writeHead(201).end();
    else response.writeHead(429, { "Retry-After": "1" }).end();
  };
  await say("Again");
  await until(async () => (await devicesOf(park))[0]?.last_push).toMatchObject({
    status: 429,
    error: "HTTP 429",
  });
  // Retry-After is a lower bound: the backoff after one failure is five seconds.
  await until(() => bodies()).toEqual(["Again", "Again"]);
  const [first, second] = receiver.pushes;
  expect(second?.headers.topic).toBe(first?.headers.topic);
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(3_500);
  await until(async () => (await devicesOf(park))[0]?.last_push).toMatchObject({ status: 201 });
});

test("a service whose pushes wait for earlier ones is not due: it would keep those of others from being sent", async () => {
  const phone = receiver.subscribe();
  await register(park, "phone", phone);
  const { host: service } = new URL(phone.device.endpoint);
  const isDue = async () => (await listDueServices(server.db, [])).some((due) => due.service === service);
  receiver.respond = (_, response) => response.writeHead(503, { "Retry-After": "600" }).end();
  await say("one");
  await until(async () => (await waitingIn(server)).map(({ attempt }) => attempt)).toEqual([1]);
  await say("two");
  await until(async () => (await waitingIn(server)).length).toBe(2);
  expect(await isDue()).toBe(false);
});

test("what waits for a device counts for the push service where it is registered now", async () => {
  const phone = receiver.subscribe();
  await register(park, "phone", phone);
  receiver.respond = (_, response) => response.writeHead(503, { "Retry-After": "600" }).end();
  await say("one");
  await until(async () => (await waitingIn(server)).map(({ attempt }) => attempt)).toEqual([1]);
  const { body } = await call(server.url, "GET", "/v1/push");
  const other = await startPushReceiver(body.webpush.public_key);
  opened.push(other.close);
  const moved = other.subscribe();
  await register(park, "phone", moved);
  const waiting = await server.db.query<{ readonly service: string }>({
    name: `test.services-${round}`,
    text: `SELECT service FROM push_entries WHERE channel_id = '${room}'`,
  });
  expect(waiting).toEqual([{ service: new URL(moved.device.endpoint).host }]);
});

test("a device that registers again while its old endpoint is asked gets the push at the new one", async () => {
  const [old, fresh] = [receiver.subscribe(), receiver.subscribe()];
  await register(park, "phone", old);
  receiver.respond = async ({ path }, response) => {
    if (path === old.path) await register(park, "phone", fresh);
    response.writeHead(path === old.path ? 410 : 201).end();
  };
  await say("Moved?");
  await until(() => receiver.pushes.map(({ path }) => path)).toEqual([old.path, fresh.path]);
  await until(() => waitingIn(server)).toEqual([]);
  expect(await devicesOf(park)).toMatchObject([{ device_id: "phone", last_push: { status: 201 } }]);
});

test("what fails is repeated for up to an hour", async () => {
  await register(park, "phone", receiver.subscribe());
  receiver.respond = (_push, response) => void response.writeHead(503, { "Retry-After": "1800" }).end();
  const pass = (ms: number) =>
    server.db.query({
      name: `test.pass-${ms}`,
      text: `UPDATE push_entries SET created_at = created_at - ${ms}, due_at = 0 WHERE channel_id = '${room}'`,
    });
  const repeated = async () => (await waitingIn(server)).filter(({ isClaimed }) => !isClaimed);
  await say("Again");
  await until(async () => (await repeated()).map(({ attempt }) => attempt)).toEqual([1]);
  const [{ delayMs } = { delayMs: 0 }] = await repeated();
  expect(delayMs).toBeGreaterThanOrEqual(1_800_000);
  expect(delayMs).toBeLessThan(1_860_000);
  await pass(1_750_000);
  await until(async () => (await repeated()).map(({ attempt }) => attempt)).toEqual([2]);
  const { waiting, oldestSeconds } = await measurePushes(server.db);
  expect(waiting).toBeGreaterThanOrEqual(1);
  expect(oldestSeconds).toBeGreaterThan(1_700);
  // The next attempt would be too late.
  await pass(60_000);
  await until(() => waitingIn(server)).toEqual([]);
  expect(bodies()).toEqual(["Again", "Again", "Again"]);
});

test("the failure of a service is forgotten with its last device", async () => {
  const service = new URL(receiver.url).host;
  await register(park, "phone", receiver.subscribe());
  receiver.respond = (_push, response) => void response.writeHead(500).end();
  await say("Failing");
  const states = async () => {
    const found = await server.db.query<{ service: string }>({
      name: "test.services",
      text: "SELECT service FROM push_services",
    });
    return found.filter((each) => each.service === service).length;
  };
  await until(states).toBe(1);
  await sweepPushes(server.db);
  expect(await states()).toBe(1);
  await remove(`/v1/users/${park}/devices/phone`);
  await sweepPushes(server.db);
  expect(await states()).toBe(0);
});

test("ping reports what the push service responded, and changes no message", async () => {
  await register(park, "phone", receiver.subscribe());
  const ping = () => call(server.url, "POST", `/v1/users/${park}/devices/phone/ping`);
  expect((await ping()).body).toEqual({ status: 201, duration_ms: expect.any(Number) });
  expect(payloads()).toMatchObject([{ type: "ping", title: "Test notification" }]);
  receiver.respond = (_push, response) => void response.writeHead(410).end();
  expect((await ping()).body).toEqual({ status: 410, duration_ms: expect.any(Number), error: "HTTP 410" });
  expect(await devicesOf(park)).toEqual([]);
  receiver.pushes.splice(0);
});

test.each(["sender", "none"])("with MADANG_PUSH_CONTENT=%s, a notification has no text", async (content) => {
  const other = await startServer({
    settings: { ...settings, MADANG_PUSH_CONTENT: content },
    hasBackgroundTasks: true,
  });
  opened.push(other.close);
  const there = chatWith(other);
  for (const user_id of [kim, park]) await there.users.create({ user_id, name: "Name" });
  await there.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });
  const own = await startPushReceiver();
  opened.push(own.close);
  await call(other.url, "PUT", `/v1/users/${park}/devices/phone`, { body: own.subscribe().device });
  await there.messages.send(room, { user_id: kim, type: "text", content: "Secret" });
  await until(() => own.pushes.length).toBe(1);
  const fields = Object.keys(own.pushes[0]?.payload).sort();
  const ids = ["channel_id", "created_at", "message_id", "type", "unread_count"];
  const names = ["channel_name", "title", "user_id", "user_name"];
  expect(fields).toEqual(content === "none" ? ids : [...ids, ...names].sort());
});

test("no token, endpoint or key is stored in clear, or in a log, a response, an error, an event, an export, an audit entry or a metric", async () => {
  // Both say what they know: the token is in the text of an error, as Google does it.
  const service = createServer(async (request, response) => {
    const body = await text(request);
    const isToken = request.url === "/token";
    response.writeHead(isToken ? 200 : 400, { "Content-Type": "application/json" });
    response.end(
      isToken
        ? JSON.stringify({ access_token: "ya29.granted", expires_in: 3_600 })
        : JSON.stringify({ error: { message: body, status: body } }),
    );
  });
  const url = await bind(service, { PORT: 0, HOST: "127.0.0.1" });
  opened.push(async () => {
    service.closeAllConnections();
    service.close();
  });
  const providers = await createPushSettings(`${url}/token`);
  const own = await startServer({
    settings: { ...settings, ...providers, MADANG_AUDIT: "all", MADANG_METRICS_PORT: "0" },
    // Apple is not there.
    pushUrls: { fcm: url, apns: { production: "http://127.0.0.1:1", development: url } },
    hasBackgroundTasks: true,
  });
  opened.push(own.close);
  const lying = await startPushReceiver();
  opened.push(lying.close);
  lying.respond = ({ path, headers }, response) =>
    void response.writeHead(500, { Location: path }).end(`${path} ${headers.authorization}`);

  const { device, path: endpoint } = lying.subscribe();
  const { keys } = device;
  const [fcm, apns] = ["fMl5:APA91bSecret", "5ec7e7".repeat(12)];
  const devices = {
    web: device,
    dead: { ...device, endpoint: "http://127.0.0.1:1/dead-secret" },
    fcm: { provider: "fcm", token: fcm },
    apns: { provider: "apns", token: apns, topic: "com.example.chat" },
    sandbox: { provider: "apns", token: `${apns}00`, topic: "com.example.chat", environment: "development" },
    // These are rejected.
    inside: { ...device, endpoint: "https://10.0.0.1/inside-secret" },
    fragment: { ...device, endpoint: "https://push.example.com/fragment-secret#x" },
    point: { ...device, keys: { ...keys, p256dh: `B${"p".repeat(86)}` } },
    extra: { provider: "fcm", token: fcm, unknown: 1 },
  };
  const there = chatWith(own);
  for (const user_id of [kim, park]) await there.users.create({ user_id, name: "Name" });
  await there.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });
  const replies: Reply[] = [];
  const send = async (method: string, path: string, sent = {}) => {
    const reply = await call(own.url, method, path, sent);
    replies.push(reply);
    return reply;
  };
  const base = `/v1/users/${park}/devices`;
  const statuses: number[] = [];
  for (const [id, body] of Object.entries(devices)) {
    const { status } = await send("PUT", `${base}/${id}`, { body, idempotencyKey: `register-${id}` });
    statuses.push(status);
    await send("POST", `${base}/${id}/ping`);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 400, 400, 400, 400]);
  await there.messages.send(room, { user_id: kim, type: "text", content: "Hello" });
  await until(() => lying.pushes.length).toBeGreaterThan(1);
  const lastErrors = async () =>
    (await send("GET", base)).body.devices.map((each: { last_push?: { error?: string } }) => [
      each.last_push?.error,
    ]);
  await until(async () => (await lastErrors()).flat().filter(Boolean).length).toBe(5);
  for (const path of ["/v1/push", "/v1/push/services", "/v1/events?limit=500", "/v1/audit?limit=100"])
    expect((await send("GET", path)).status).toBe(200);
  expect((await send("GET", `/v1/privacy/users/${park}`)).body.devices).toHaveLength(5);

  const read = (file = "") => readFile(file, "utf8");
  const privateLine = (pem: string) => pem.split("\n")[1] ?? "";
  const secrets = [
    endpoint.slice("/push/".length),
    keys.auth,
    keys.p256dh,
    ...["dead-secret", "inside-secret", "fragment-secret", "p".repeat(86)],
    ...[fcm, apns, "ya29.granted"],
    privateLine(JSON.parse(await read(providers.MADANG_FCM_CREDENTIALS)).private_key),
    privateLine(await read(providers.MADANG_APNS_KEY)),
    String(lying.pushes[0]?.headers.authorization).split(", ")[0] ?? "",
  ];
  const places = {
    stored: await readAllRows(own),
    responses: JSON.stringify(replies.map(({ body }) => body)),
    log: own.logLines.join(""),
    metrics: await readMetrics(own),
  };
  expect(places.responses).toContain("users.devices.register");
  expect(places.log).toContain('"operation":"users.devices.register"');
  expect(places.metrics).toContain("madang_pushes_total");
  const found = Object.entries(places).flatMap(([place, all]) =>
    secrets.filter((secret) => all.includes(secret)).map((secret) => [place, secret]),
  );
  expect(found).toEqual([]);
});

async function readAllRows({ db }: TestServer): Promise<string> {
  const tables = await db.query<{ name: string }>({
    name: "test.tables",
    text: "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  });
  let text = "";
  for (const { name } of tables) {
    const rows = await db.query<{ row: string }>({
      name: `test.rows-${name}`,
      text: `SELECT encode(convert_to(row::text, 'UTF8'), 'escape') AS row FROM "${name}" AS row`,
    });
    text += rows.map(({ row }) => row).join("\n");
  }
  return text;
}

test("two processes push a message once", async () => {
  const other = await startServerOn(server.databaseUrl, { settings, hasBackgroundTasks: true });
  opened.push(other.close);
  await register(park, "phone", receiver.subscribe());
  for (let index = 0; index < 20; index++) await say(`Message ${index}`);
  await until(() => receiver.pushes.length).toBe(20);
  await settle();
  expect(bodies()).toEqual(Array.from({ length: 20 }, (_, index) => `Message ${index}`));
});

test("what a process had claimed when it was killed is pushed by another one", async () => {
  await register(park, "phone", receiver.subscribe());
  receiver.respond = () => undefined;
  await say("Claimed");
  await until(() => receiver.pushes.length).toBe(1);
  receiver.respond = (_push, response) => void response.writeHead(201).end();
  // As if the claim had passed, and no response will come.
  await server.db.query({ name: "test.pass", text: "UPDATE push_entries SET due_at = due_at - 60000" });
  await until(() => bodies()).toEqual(["Claimed", "Claimed"]);
  const [first, second] = receiver.pushes;
  expect(second?.headers.topic).toBe(first?.headers.topic);
});

test("what waits for longer than a minute is replaced by the newest message of its channel", async () => {
  await register(park, "phone", receiver.subscribe());
  receiver.respond = (_push, response) => void response.writeHead(503).end();
  await say("Old");
  await until(async () => (await devicesOf(park))[0]?.last_push?.status).toBe(503);
  await server.db.query({
    name: "test.age",
    text: "UPDATE push_entries SET created_at = created_at - 61000",
  });
  receiver.respond = (_push, response) => void response.writeHead(201).end();
  await say("New");
  await until(() => bodies()).toEqual(["Old", "New"]);
  await settle();
  expect(bodies()).toEqual(["Old", "New"]);
  const { body } = await call(server.url, "GET", "/v1/push/services");
  expect(
    body.services.find(({ service }: { service: string }) => receiver.url.endsWith(service)),
  ).toMatchObject({
    device_count: 1,
    waiting_count: 0,
  });
});

test("services that are dead, slow, lying or redirecting delay nobody else", async () => {
  const bad = await Promise.all([startPushReceiver(), startPushReceiver(), startPushReceiver()]);
  const [slow, lying, redirecting] = bad;
  opened.push(...bad.map(({ close }) => close));
  if (slow) slow.respond = () => undefined;
  if (lying)
    lying.respond = (_push, response) => {
      response.writeHead(201, { "Content-Length": "1000000" });
      response.write("not so much");
    };
  if (redirecting)
    redirecting.respond = (_push, response) =>
      void response.writeHead(307, { Location: `${receiver.url}/elsewhere` }).end();
  const dead = receiver.subscribe();
  const { keys } = dead.device;
  await put(`/v1/users/${park}/devices/dead`, { ...dead.device, endpoint: "http://127.0.0.1:1/dead", keys });
  for (const [index, each] of bad.entries())
    for (let count = 0; count < 5; count++) await register(park, `bad-${index}-${count}`, each.subscribe());
  await register(park, "good", receiver.subscribe());
  for (let count = 0; count < 10; count++) await say(`Message ${count}`);
  const startedAt = Date.now();
  await until(() => receiver.pushes.length).toBe(10);
  // Without them it takes about as long as the delay. A slow one would hold it for 15 seconds.
  expect(Date.now() - startedAt).toBeLessThan(8_000);
  expect(receiver.faults).toEqual([]);
  const failing = (await call(server.url, "GET", "/v1/push/services")).body.services;
  expect(failing.find(({ service }: { service: string }) => service === "127.0.0.1:1")).toMatchObject({
    failing_since: expect.any(Number),
    error: "The connection failed (ECONNREFUSED).",
  });
});

test("a user whose devices are all at slow services, each at another one, delays nobody else", async () => {
  // Each has as many devices as a user may have, at services that never respond, and messages in several channels.
  const slow = await Promise.all(Array.from({ length: 25 }, () => startPushReceiver()));
  opened.push(...slow.map(({ close }) => close));
  for (const [index, each] of slow.entries()) {
    each.respond = () => undefined;
    await register(park, `slow-${index}`, each.subscribe());
  }
  const rooms = Array.from({ length: 8 }, (_, index) => `${room}_${index}`);
  for (const channel_id of rooms)
    await chat.channels.create({ channel_id, name: "Lunch", members: [kim, park] });
  const held = () => slow.reduce((sum, { pushes }) => sum + pushes.length, 0);
  for (const id of rooms) await chat.messages.send(id, { user_id: kim, type: "text", content: "slow" });
  await until(held).toBeGreaterThanOrEqual(24);
  const phone = receiver.subscribe();
  await register(kim, "phone", phone);
  const startedAt = Date.now();
  await chat.messages.send(room, { user_id: park, type: "text", content: "Hi" });
  await until(() => bodies()).toEqual(["Hi"]);
  // Each of the slow ones takes 15 seconds.
  expect(Date.now() - startedAt).toBeLessThan(8_000);
  expect(held()).toBeLessThan(60);
});

test("an address that turns out to be in the own network gets nothing", async () => {
  const strict = await startServer({
    settings: { ...settings, MADANG_WEBHOOK_ALLOW: "" },
    hasBackgroundTasks: true,
    receivers: {
      hostNames: { resolve: async () => [{ address: resolved, family: 4 }], close: () => undefined },
    },
  });
  opened.push(strict.close);
  let resolved = "8.8.8.8";
  const { device } = receiver.subscribe();
  const there = chatWith(strict);
  for (const user_id of [kim, park]) await there.users.create({ user_id, name: "Name" });
  await there.channels.create({ channel_id: room, name: "Lunch", members: [kim, park] });
  const path = `/v1/users/${park}/devices/phone`;
  const endpoint = "https://push.example.com/1";
  expect((await call(strict.url, "PUT", path, { body: { ...device, endpoint } })).status).toBe(200);
  resolved = "127.0.0.1";
  for (const inside of [
    endpoint,
    receiver.url,
    "http://push.example.com/",
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:10.0.0.1]/",
    "https://10.0.0.1/",
    "https://169.254.169.254/",
    "https://0x7f.1/",
  ]) {
    const { body } = await call(strict.url, "PUT", path, { body: { ...device, endpoint: inside } });
    expect([inside, body]).toMatchObject([
      inside,
      { code: "invalid_request", errors: [{ path: "endpoint" }] },
    ]);
  }
  await there.messages.send(room, { user_id: kim, type: "text", content: "Inside" });
  const list = () => call(strict.url, "GET", `/v1/users/${park}/devices`);
  await until(async () => (await list()).body.devices[0]?.last_push?.error).toMatch("own network");
  const ping = await call(strict.url, "POST", `${path}/ping`);
  expect(ping.body).toEqual({ duration_ms: expect.any(Number), error: expect.stringMatching("own network") });
});
