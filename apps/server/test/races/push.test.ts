import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { type PushReceiver, type ReceivedPush, startPushReceiver } from "../support/push-receiver";
import { report, scale } from "../support/report";
import { startServer, startServerOn, type TestServer } from "../support/server";

/** From one second after the response of what ends pushes, nothing arrives, whatever was under way on any process. */

const rounds = scale(2, 30);
const limitMs = 1_000;
const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8", MADANG_PUSH_DELAY_MS: "300" };

let server: TestServer;
let other: TestServer;
let receiver: PushReceiver;
let chat: ReturnType<typeof chatWith>;
let otherChat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer({ settings, hasBackgroundTasks: true });
  other = await startServerOn(server.databaseUrl, { settings, hasBackgroundTasks: true });
  receiver = await startPushReceiver();
  [chat, otherChat] = [chatWith(server), chatWith(other)];
});
afterAll(async () => {
  clearInterval(watching);
  await receiver.close();
  await other.close();
  await server.close();
});

/** When nothing of this process ran, neither the servers nor the receiver, and for how long. */
const stalls: { readonly at: number; readonly ms: number }[] = [];
let tickedAt = Date.now();
const watching = setInterval(() => {
  const now = Date.now();
  if (now - tickedAt > 50) stalls.push({ at: now, ms: now - tickedAt });
  tickedAt = now;
}, 10);
const stalledMs = (from: number, to: number) =>
  stalls.filter(({ at }) => at > from && at <= to + 50).reduce((sum, { ms }) => sum + ms, 0);

/** Kim writes to Park, who has a phone. Choi is a participant too, so that no block rejects a message. */
interface World {
  readonly [name: string]: string;
  readonly room: string;
  readonly kim: string;
  readonly park: string;
  readonly lee: string;
}

/** With the ids of messages, it ends the pushes of these alone. */
const ends: Record<string, (world: World, ids: readonly string[], path: string) => Promise<unknown>> = {
  "the device is removed": ({ park }) => call(other.url, "DELETE", `/v1/users/${park}/devices/phone`),
  "the tokens are revoked": ({ park }) => otherChat.users.revokeTokens(park),
  "another user registers the device": ({ lee }, _ids, path) => put(lee, path),
  "the device has another endpoint": ({ park }) => put(park, subscribe()),
  "the sender is blocked": ({ park, kim }) => otherChat.users.blocks.add(park, kim),
  "the channel is quiet": ({ room, park }) =>
    otherChat.channels.members.setPreferences(room, park, { quiet_until: Date.now() + 600_000 }),
  "only mentions are wanted": ({ room, park }) =>
    otherChat.channels.members.setPreferences(room, park, { notify: "mentions" }),
  "the messages are read": ({ room, park }) => otherChat.channels.members.markRead(room, park),
  "the messages are deleted": ({ room }, ids) =>
    Promise.all(ids.map((id) => otherChat.messages.delete(room, id))),
  "the participant leaves": ({ room, park }) => otherChat.channels.members.leave(room, park),
  "the participant is banned": ({ room, park }) => otherChat.channels.bans.add(room, park),
  "the user is deleted": ({ park }) => otherChat.users.delete(park),
  "the user is erased": ({ park }) => otherChat.privacy.erase({ user_id: park, messages: "erase" }),
  "the sender is erased": ({ kim }) => otherChat.privacy.erase({ user_id: kim, messages: "erase" }),
  "the channel is deleted": ({ room }) => otherChat.channels.delete(room),
};
const endsOfMessages = ["the messages are read", "the messages are deleted"];

const deviceOf = new Map<string, object>();
const subscribe = () => {
  const { path, device } = receiver.subscribe();
  deviceOf.set(path, device);
  return path;
};
const put = (user: string, path: string) =>
  call(other.url, "PUT", `/v1/users/${user}/devices/phone`, { body: deviceOf.get(path) });

/** Returns the pushes that came too late, and how many came in time. */
async function race(name: string, round: number) {
  const id = `${Object.keys(ends).indexOf(name)}_${round}`;
  const world = {
    room: `race_${id}`,
    kim: `kim_${id}`,
    park: `park_${id}`,
    lee: `lee_${id}`,
    choi: `choi_${id}`,
  };
  const { room, kim, park, lee, choi } = world;
  for (const user_id of [kim, park, lee, choi]) await chat.users.create({ user_id, name: "Name" });
  await chat.channels.create({ channel_id: room, name: "Race", members: [kim, park, choi] });
  const path = subscribe();
  await put(park, path);

  const ids: string[] = [];
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      // A message may be rejected after the end.
      await chat.messages.send(room, { user_id: kim, type: "text", content: "Race" }).then(
        ({ message_id }) => ids.push(message_id),
        () => undefined,
      );
      await sleep(30);
    }
  })();
  await expect.poll(() => arrivedAt(path).length, { interval: 10 }).toBeGreaterThan(0);
  await sleep(Math.random() * 600);
  const before = [...ids];
  await ends[name]?.(world, before, path);
  const endedAt = Date.now();
  await sleep(limitMs + 700);
  isOver = true;
  await sending;
  return { name, path, endedAt, ids: endsOfMessages.includes(name) ? new Set(before) : undefined };
}

const arrivedAt = (path: string) => receiver.pushes.filter((push) => push.path === path);

test("nothing is pushed a second after the end, also when a push service is slow or fails at first", async () => {
  const counts = new Map<string, number>();
  receiver.respond = ({ path }, response) => {
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    // What fails is repeated after about five seconds, and what comes after it waits: by then, the end has come.
    if (count === 1 + (Number.parseInt(path.slice(-1), 16) % 6)) response.writeHead(503).end();
    else setTimeout(() => response.writeHead(201).end(), count % 2 === 0 ? 0 : Math.random() * 800);
  };
  const outcomes: Awaited<ReturnType<typeof race>>[] = [];
  for (let round = 0; round < rounds; round++)
    outcomes.push(...(await Promise.all(Object.keys(ends).map((name) => race(name, round)))));
  // What is to be repeated was sent, or found to be unwanted.
  const count = { name: "test.count-pushes", text: "SELECT 1 FROM push_entries" };
  await expect.poll(async () => (await server.db.query(count)).length).toBe(0);

  let maxMs = 0;
  const late = outcomes.flatMap(({ name, path, endedAt, ids }) => {
    const isEnded = ({ payload }: ReceivedPush) => ids === undefined || ids.has(payload.message_id);
    const delays = arrivedAt(path)
      .filter(isEnded)
      .map(({ at }) => at - endedAt - stalledMs(endedAt, at));
    maxMs = Math.max(maxMs, ...delays);
    return delays.filter((ms) => ms > limitMs).map((ms) => ({ name, ms }));
  });
  await report({
    fault: `push: ${outcomes.length} races with what ends it; the last push arrived ${maxMs} ms after the response`,
    load: `${Object.keys(ends).length} kinds of ends, 2 processes`,
    sent: outcomes.length,
    acknowledged: receiver.pushes.length,
    wrong: late.length,
  });
  expect({ late, faults: receiver.faults }).toEqual({ late: [], faults: [] });
});

test("whatever replaces what waits, the newest message of a channel arrives, and none after a newer one", async () => {
  const channels = Array.from({ length: scale(3, 20) }, (_, index) => `replaced_${index}`);
  const [kim, park] = ["replaced_kim", "replaced_park"];
  for (const user_id of [kim, park]) await chat.users.create({ user_id, name: "Name" });
  for (const channel_id of channels)
    await chat.channels.create({ channel_id, name: "Race", members: [kim, park] });
  const path = subscribe();
  await put(park, path);
  let isOver = false;
  receiver.respond = (_push, response) => {
    const isAccepted = isOver || Math.random() < 0.6;
    setTimeout(() => response.writeHead(isAccepted ? 201 : 503).end(), Math.random() * 100);
  };
  // As if it had waited for a minute, or its next attempt were due.
  const pass = {
    name: "test.pass-time",
    text: `UPDATE push_entries SET due_at = CASE WHEN is_claimed THEN due_at ELSE 0 END,
      created_at = created_at - CASE WHEN random() < 0.5 THEN 61000 ELSE 0 END WHERE created_at > $1::bigint`,
  };
  const passing = (async () => {
    while (!isOver) {
      await server.db.query(pass, [Date.now() - 600_000]);
      await sleep(50);
    }
  })();
  const count = scale(30, 200);
  await Promise.all(
    channels.map(async (channel_id) => {
      for (let index = 0; index < count; index++) {
        await chat.messages.send(channel_id, { user_id: kim, type: "text", content: String(index) });
        await sleep(Math.random() * 150);
      }
    }),
  );
  const bodiesIn = (channelId: string) =>
    arrivedAt(path)
      .filter(({ payload }) => payload.channel_id === channelId)
      .map(({ payload }) => Number(payload.body));
  await expect
    .poll(() => channels.filter((channelId) => !bodiesIn(channelId).includes(count - 1)), { timeout: 30_000 })
    .toEqual([]);
  isOver = true;
  await passing;
  const disordered = channels.filter((channelId) =>
    bodiesIn(channelId).some((body, index, all) => index > 0 && body < (all[index - 1] ?? 0)),
  );
  const arrived = channels.reduce((sum, channelId) => sum + new Set(bodiesIn(channelId)).size, 0);
  expect(disordered).toEqual([]);
  // Some were replaced, or this test would prove nothing.
  expect(arrived).toBeLessThan(channels.length * count);
});
