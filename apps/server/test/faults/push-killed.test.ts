import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { type PushReceiver, startPushReceiver } from "../support/push-receiver";
import { expectWithinIfLong, isLong, report } from "../support/report";
import { type ServerProcess, startProcess } from "./process";

const delayMs = 1_000;
const settings = {
  MADANG_WEBHOOK_ALLOW: "127.0.0.0/8",
  MADANG_PUSH_CONTACT: "mailto:operator@example.com",
  MADANG_PUSH_DELAY_MS: String(delayMs),
};
const membersPerChannel = 100;
const channelCount = isLong ? 100 : 2;
const kills = isLong ? 20 : 1;
const pushesPerSecond = 200;
const workers = 16;

let database: Awaited<ReturnType<typeof createDatabase>>;
let receiver: PushReceiver;
const servers: ServerProcess[] = [];
beforeAll(async () => {
  database = await createDatabase();
  receiver = await startPushReceiver();
  for (let index = 0; index < 2; index++) servers.push(await startProcess(database.url, settings));
  await prepare();
}, 600_000);
afterAll(async () => {
  for (const server of servers) await server.end("SIGTERM");
  await receiver.close();
  await database.drop();
});

const urlOf = (index: number) => servers[index % servers.length]?.url ?? "";
const userOf = (channel: number, member: number) => `push_${channel}_${String(member).padStart(3, "0")}`;
/** The endpoint of each user. */
const pathOf = new Map<string, string>();

/** Each user is in one channel and has one device. */
async function prepare(): Promise<void> {
  const channels = Array.from({ length: channelCount }, (_, channel) => channel);
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      for (const channel of channels.filter((each) => each % workers === worker)) {
        const members = Array.from({ length: membersPerChannel }, (_, member) => userOf(channel, member));
        for (const user_id of members) {
          await request("POST", "/v1/users", { user_id, name: user_id });
          const { device, path } = receiver.subscribe();
          await request("PUT", `/v1/users/${user_id}/devices/phone`, device);
          pathOf.set(user_id, path);
        }
        const channel_id = `push_room_${channel}`;
        await request("POST", "/v1/group/channels", { channel_id, name: "Room", members, reuse: false });
      }
    }),
  );
}

async function request(method: string, path: string, body: object): Promise<void> {
  const reply = await call(urlOf(0), method, path, { body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
}

/** What was stored: by channel, each with the number of its sender. */
const stored: Stored[] = [];
interface Stored {
  readonly channel: number;
  readonly sender: number;
  readonly content: string;
  readonly sentAt: number;
}

async function send(): Promise<void> {
  const channel = stored.length % channelCount;
  const sender = stored.length % membersPerChannel;
  const content = `message-${stored.length}`;
  stored.push({ channel, sender, content, sentAt: Date.now() });
  const body = { user_id: userOf(channel, sender), type: "text", content };
  for (let attempt = 0; ; attempt++) {
    const path = `/v1/group/channels/push_room_${channel}/messages`;
    const status = await call(urlOf(attempt), "POST", path, { body, idempotencyKey: content }).then(
      (reply) => reply.status,
      () => 0,
    );
    if (status === 201) return;
    if (status >= 400 && status < 500) throw new Error(`A message was rejected with ${status}.`);
    await sleep(20);
  }
}

/** Sends messages so that about 200 a second are pushed, each at its time. */
async function sendAtRate(seconds: number): Promise<void> {
  const everyMs = (1_000 * (membersPerChannel - 1)) / pushesPerSecond;
  const startedAt = performance.now();
  for (let count = 0; count < (seconds * 1_000) / everyMs; count++) {
    await sleep(Math.max(0, startedAt + count * everyMs - performance.now()));
    await send();
  }
}

const keyOf = (path: string, content: string) => `${path} ${content}`;
const arrived = () => new Set(receiver.pushes.map(({ path, payload }) => keyOf(path, payload.body)));
/** What has waited for longer may be replaced by a newer message of its channel. */
const replaceableAfterMs = 60_000;

/** The messages that have not arrived: those that a newer message of their channel may have replaced, and the others. */
function countMissing(): { readonly lost: number; readonly replaced: number } {
  const there = arrived();
  let [lost, replaced] = [0, 0];
  for (const channel of new Set(stored.map((each) => each.channel)))
    for (let member = 0; member < membersPerChannel; member++) {
      const path = pathOf.get(userOf(channel, member)) ?? "";
      let newest: Stored | undefined;
      for (const message of stored
        .filter((each) => each.channel === channel && each.sender !== member)
        .reverse())
        if (there.has(keyOf(path, message.content))) newest ??= message;
        else if (newest !== undefined && newest.sentAt - message.sentAt > replaceableAfterMs) replaced += 1;
        else lost += 1;
    }
  return { lost, replaced };
}
const untilAllArrived = async (ms: number) => {
  const deadline = Date.now() + ms;
  while (countMissing().lost > 0 && Date.now() < deadline) await sleep(500);
};

test("at 200 pushes a second, they arrive within a second after the delay", async () => {
  await sendAtRate(isLong ? 30 : 5);
  await untilAllArrived(60_000);
  const late = receiver.pushes
    .map(({ at, payload }) => at - payload.created_at - delayMs)
    .sort((one, other) => one - other);
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => late[Math.floor(late.length * share)]);
  await report({
    fault: `push: ${pathOf.size} devices, no kill; p50 ${p50} ms, p99 ${p99} ms after the delay`,
    load: `${pushesPerSecond} pushes per second, 2 processes`,
    sent: stored.length,
    acknowledged: late.length,
    lost: countMissing().lost,
    wrong: receiver.faults.length,
  });
  expect({ ...countMissing(), faults: receiver.faults }).toEqual({ lost: 0, replaced: 0, faults: [] });
  expectWithinIfLong(1_000, p99);
});

test("kill -9 of the servers loses no push, and repetitions replace what is shown", async () => {
  let isStopped = false;
  const sending = (async () => {
    while (!isStopped) await sendAtRate(1);
  })();
  for (let round = 0; round < kills; round++) {
    await sleep(3_000);
    const index = round % servers.length;
    const { port } = new URL(urlOf(index));
    await servers[index]?.end("SIGKILL");
    servers[index] = await startProcess(database.url, { ...settings, PORT: port });
  }
  isStopped = true;
  await sending;
  // What a killed process was sending is sent again when its claims have passed.
  await untilAllArrived(180_000);
  const { lost, replaced } = countMissing();
  const repeated = receiver.pushes.length - arrived().size;
  const topics = new Map<string, Set<unknown>>();
  for (const { path, payload, headers } of receiver.pushes) {
    const key = keyOf(path, payload.channel_id);
    topics.set(key, (topics.get(key) ?? new Set()).add(headers.topic));
  }
  const otherTags = [...topics.values()].filter(({ size }) => size > 1).length;
  await report({
    fault: `push: ${kills} times kill -9; ${repeated} pushes arrived twice, with the same tag, ${replaced} were replaced after a minute`,
    load: `${pathOf.size} devices, 2 processes`,
    sent: stored.length,
    acknowledged: receiver.pushes.length,
    lost,
    wrong: otherTags,
  });
  expect({ lost, otherTags }).toEqual({ lost: 0, otherTags: 0 });
});
