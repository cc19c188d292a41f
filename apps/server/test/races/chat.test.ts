import { afterAll, beforeAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { callPatiently, type Sent } from "../support/call";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { type Rival, startRival } from "./rival";

const writers = 32;
const stepsEach = scale(12, 150);
/** The clock of this process is up to half of this ahead of that of the other one, or behind it. */
const skewMs = 80;

let here: TestServer;
let other: Rival;
beforeAll(async () => {
  here = await startServer({ now: () => Date.now() + Math.floor((Math.random() - 0.5) * skewMs) });
  other = await startRival(here.databaseUrl);
  for (const user_id of people) await send(0, "POST", "/v1/users", { body: { user_id, name: user_id } });
});
afterAll(async () => {
  await other.close();
  await here.close();
});

const people = ["kim_01", "lee_02", "park_03"];
const path = (channel: string, rest = "") => `/v1/group/channels/${channel}${rest}`;

/** Sends a request, which must succeed, to one of the two processes. */
async function send(index: number, method: string, path: string, sent: Sent = {}) {
  const reply = await callPatiently((index % 2 === 0 ? here : other).url, method, path, sent);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const createChannel = (channel_id: string) =>
  send(0, "POST", "/v1/group/channels", {
    body: { channel_id, name: "Race", members: people, reuse: false },
  });

/** Sends, edits and deletes messages. Returns the ids of all sent messages and of those that are left. */
async function write(writer: number, channel: string) {
  const sent: string[] = [];
  const left: string[] = [];
  for (let step = 0; step < stepsEach; step++) {
    const choice = Math.random();
    const [oldest] = left;
    if (choice < 0.6 || oldest === undefined) {
      const user_id = people[writer % people.length];
      const body = { user_id, type: "text", content: `${writer} ${step}` };
      const keyed = step % 3 === 0 ? { idempotencyKey: `${channel}-${writer}-${step}` } : {};
      const { message_id } = await send(writer, "POST", path(channel, "/messages"), { body, ...keyed });
      sent.push(message_id);
      left.push(message_id);
    } else if (choice < 0.8) {
      await send(writer, "PUT", path(channel, `/messages/${oldest}`), { body: { content: "edited" } });
    } else {
      // Also the newest, so that the channel's last message is an older one.
      const deleted = choice < 0.9 ? left.shift() : left.pop();
      await send(writer, "DELETE", path(channel, `/messages/${deleted}`));
    }
  }
  return { sent, left };
}

test("a reader that follows newer sees every message once, while 32 writers in two processes send, edit and delete", async () => {
  const channel = "race_newer";
  await createChannel(channel);
  const seen: string[] = [];
  let isWriting = true;
  let { newer } = await send(1, "GET", path(channel, "/messages?limit=7"));
  const follow = async () => {
    for (let index = 0; ; index++) {
      const isLast = !isWriting;
      const page = await send(index, "GET", path(channel, `/messages?next=${newer}`));
      newer = page.newer;
      const ids: string[] = page.messages.map(({ message_id }: { message_id: string }) => message_id);
      seen.push(...ids.reverse());
      if (isLast && ids.length === 0) return;
    }
  };
  const following = follow();
  const written = await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer, channel)));
  isWriting = false;
  await following;

  expect(seen.filter((id, index) => seen.indexOf(id) !== index)).toEqual([]);
  const left = written.flatMap((one) => one.left);
  expect(left.filter((id) => !seen.includes(id))).toEqual([]);
  const sent = new Set(written.flatMap((one) => one.sent));
  expect(seen.filter((id) => !sent.has(id))).toEqual([]);

  // Paging back finds the messages that are left, in the same order.
  const walked: string[] = [];
  for (let next: string | undefined = ""; next !== undefined; ) {
    const page = await send(0, "GET", path(channel, `/messages?${next && `next=${next}`}`));
    walked.push(...page.messages.map(({ message_id }: { message_id: string }) => message_id));
    next = page.next;
  }
  expect(walked).toEqual(seen.filter((id) => left.includes(id)).reverse());
  const { total_message_count } = await send(0, "GET", path(channel));
  expect(total_message_count).toBe(sent.size);
  const inbox = await send(0, "GET", "/v1/users/kim_01/channels");
  const entry = inbox.channels.find((one: { channel_id: string }) => one.channel_id === channel);
  expect(entry.last_message?.message_id).toBe(walked[0]);
  await report({
    fault: "following `newer` while messages are sent, edited and deleted",
    load: `${writers} writers in 2 processes with different clocks`,
    sent: sent.size,
    acknowledged: sent.size,
  });
});

test("a read mark never moves back under concurrent changes, and unread counts equal those of a simple query", async () => {
  const channel = "race_marks";
  await createChannel(channel);
  const { sent } = await write(0, channel);
  for (let writer = 1; writer < 8; writer++) sent.push(...(await write(writer, channel)).sent);
  const order = (id: string) => id.split("-").map(Number) as [number, number];
  const isAtLeast = (one: string, other: string) => {
    const [[time, pk], [otherTime, otherPk]] = [order(one), order(other)];
    return time > otherTime || (time === otherTime && pk >= otherPk);
  };
  const mark = async (index: number) => {
    let last: string | undefined;
    for (let round = 0; round < 8; round++) {
      const message_id = sent[Math.floor(Math.random() * sent.length)];
      const marked = await send(index, "PUT", path(channel, "/members/park_03/read"), {
        body: { message_id },
      });
      if (last !== undefined) expect(isAtLeast(marked.read_message_id, last)).toBe(true);
      last = marked.read_message_id ?? last;
    }
  };
  await Promise.all([
    ...Array.from({ length: 16 }, (_, index) => mark(index)),
    ...Array.from({ length: 8 }, (_, writer) => write(writer + 100, channel)),
  ]);
  for (const user of people) {
    const { unread_count } = await send(1, "GET", `/v1/users/${user}/unread`);
    expect([user, unread_count]).toEqual([user, await countUnreadSimply(user)]);
  }
  expect(await send(1, "PUT", path(channel, "/members/park_03/read"))).toMatchObject({ unread_count: 0 });
});

test("messages before a user joined are read, and messages after that are unread", async () => {
  const channel = "race_joins";
  await createChannel(channel);
  const sends: { startedAt: number; endedAt: number }[] = [];
  const write = async (writer: number) => {
    for (let step = 0; step < 6; step++) {
      const startedAt = performance.now();
      const body = { user_id: people[writer % people.length], type: "text", content: "Hi" };
      await send(writer, "POST", path(channel, "/messages"), { body });
      sends.push({ startedAt, endedAt: performance.now() });
    }
  };
  const joins: { reader: string; startedAt: number; endedAt: number }[] = [];
  const join = async (index: number) => {
    const reader = `reader_${index}`;
    await send(index, "POST", "/v1/users", { body: { user_id: reader, name: reader } });
    const startedAt = performance.now();
    await send(index, "PUT", path(channel, "/join"), { body: { member: reader } });
    joins.push({ reader, startedAt, endedAt: performance.now() });
  };
  await Promise.all([
    ...Array.from({ length: 14 }, (_, writer) => write(writer)),
    ...Array.from({ length: 12 }, (_, index) => join(index)),
  ]);
  for (const { reader, startedAt, endedAt } of joins) {
    const { unread_count } = await send(0, "GET", `/v1/users/${reader}/unread`);
    const after = sends.filter((sent) => sent.startedAt > endedAt).length;
    const before = sends.filter((sent) => sent.endedAt < startedAt).length;
    expect(unread_count).toBeGreaterThanOrEqual(after);
    expect(unread_count).toBeLessThanOrEqual(sends.length - before);
    expect([reader, unread_count]).toEqual([reader, await countUnreadSimply(reader)]);
  }
});

/** Counts without index and limit: compares each message of others with the read mark or the time of joining. */
async function countUnreadSimply(userId: string): Promise<number> {
  const counted = await Promise.all(here.db.schemas().map((schema) => schema.query(countPlainly, [userId])));
  return counted.flat().reduce((sum, { count }) => sum + count, 0);
}

const countPlainly: Statement<{ count: number }> = {
  name: "test.count-plainly",
  text: `SELECT COALESCE(sum(LEAST(of_channel, 100)), 0)::bigint AS count FROM (
          SELECT count(*) AS of_channel FROM members m JOIN users u ON u.pk = m.user_pk
          JOIN messages x ON x.channel_pk = m.channel_pk AND x.sender_pk <> m.user_pk
          WHERE u.user_id = $1 AND CASE
            WHEN m.read_pk IS NULL THEN x.created_at > m.joined_at OR x.created_at = m.joined_at AND x.pk > m.position
            ELSE x.created_at > m.read_created_at OR x.created_at = m.read_created_at AND x.pk > m.read_pk END
          GROUP BY m.channel_pk) AS counts`,
};
