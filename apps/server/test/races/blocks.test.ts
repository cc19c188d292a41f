import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../support/call";
import { chatWith } from "../support/chat";
import { collect } from "../support/collect";
import { finishErasures } from "../support/erasures";
import { type LiveStream, openLiveStream } from "../support/live-stream";
import { createToken } from "../support/replay";
import { report, scale } from "../support/report";
import { startServer, type TestServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";
import { type Rival, startRival } from "./rival";

/** From the response of a block on, nothing of the two takes effect in their one-to-one channel, on any process. */

const rounds = scale(12, 1_000);

let server: TestServer;
let other: Rival;
let chat: ReturnType<typeof chatWith>;
let stream: LiveStream;
beforeAll(async () => {
  server = await startServer();
  other = await startRival(server.databaseUrl);
  chat = chatWith(server);
  for (const user_id of ["kim_01", "lee_02"]) await chat.users.create({ user_id, name: "Kim" });
  const token = await createToken(server.url, "lee_02");
  stream = await openLiveStream(server.url, "live=true&after=latest&types=signal", undefined, token);
});
afterAll(async () => {
  stream.close();
  await stream.ended;
  await other.close();
  await server.close();
});

interface Outcome {
  readonly startedAt: number;
  readonly reply: Reply;
}

test("1,000 races of a block with a send, a reaction, an append, an edit and a signal", async () => {
  const counts = { sent: 0, acknowledged: 0, wrong: 0 };
  for (let round = 0; round < rounds; round++) {
    const room = `room_${round}`;
    await chat.channels.create({ channel_id: room, name: "Room", members: ["kim_01", "lee_02"] });
    const say = { user_id: "kim_01", type: "text", content: "Hi" } as const;
    const { message_id: first } = await chat.messages.send(room, say);
    const { message_id: written } = await chat.messages.send(room, { ...say, streaming: true });
    const path = `/v1/group/channels/${room}`;
    let isRunning = true;
    const outcomes: Outcome[] = [];
    const act = async (url: string, request: (count: number) => readonly [string, string, unknown]) => {
      for (let count = 0; isRunning; count++) {
        const [method, rest, body] = request(count);
        const startedAt = performance.now();
        const reply = await call(url, method, `${path}${rest}`, body === undefined ? {} : { body });
        outcomes.push({ startedAt, reply });
        // At most 20 a second.
        if (rest === "/signals") await sleep(50);
      }
    };
    let appends = 0;
    const acting = [
      act(server.url, () => ["POST", "/messages", say]),
      act(other.url, () => ["POST", "/messages", { ...say, user_id: "lee_02" }]),
      act(other.url, (count) => ["PUT", `/messages/${first}/reactions/${count % 15}/lee_02`, undefined]),
      act(server.url, (count) => ["PUT", `/messages/${first}`, { content: `Edit ${count}` }]),
      act(other.url, () => ["POST", "/signals", { user_id: "kim_01", type: "late", data: { room } }]),
      act(server.url, () => ["POST", `/messages/${written}/append`, { index: appends++, content: "x" }]),
    ];
    await sleep(5 + ((round * 7) % 40));
    const [blocker, blocked] = round % 2 === 0 ? ["lee_02", "kim_01"] : ["kim_01", "lee_02"];
    await chat.users.blocks.add(blocker, blocked);
    const blockedAt = performance.now();
    const after = (await chat.events.list({ after: "latest" })).next;
    const countAppends = async () =>
      (await call(server.url, "GET", `${path}/messages/${written}`)).body.append_count;
    const appendCount = await countAppends();
    const isLate = ({ startedAt }: Outcome) => startedAt > blockedAt;
    do await sleep(30);
    while (outcomes.filter(isLate).length < 12);
    isRunning = false;
    await Promise.all(acting);
    const late = outcomes.filter(isLate);
    expect([...new Set(late.map(({ reply }) => reply.body?.code))]).toEqual(["user_blocked"]);
    // Nor did a request that was sent before: what it changed is in the feed before the end of the block.
    const { events } = await chat.events.list({ after, channel_id: room });
    expect(events).toEqual([]);
    expect(await countAppends()).toBe(appendCount);
    // A signal that was accepted before may still be on its way.
    const isLateSignal = ({ at, event }: (typeof stream.events)[number]) =>
      at > blockedAt + 2_000 && event.type === "signal" && event.data.data?.room === room;
    expect(stream.events.filter(isLateSignal)).toEqual([]);
    await chat.users.blocks.remove(blocker, blocked);
    counts.sent += outcomes.length;
    counts.acknowledged += outcomes.filter(({ reply }) => reply.status < 300).length;
  }
  await report({ fault: "a block of a one-to-one channel", load: "6 writers", ...counts });
});

test("a block and a deletion or an erasure of either user leave no block behind", async () => {
  for (let round = 0; round < scale(6, 200); round++) {
    const [one, two] = [`one_${round}`, `two_${round}`];
    for (const user_id of [one, two]) await chat.users.create({ user_id, name: "User" });
    const ended = round % 4 < 2 ? one : two;
    const end = async () => {
      if (round % 2 === 0) await chat.users.delete(ended);
      else await chat.privacy.erase({ user_id: ended, messages: "erase" });
    };
    const [added] = await Promise.all([
      call(other.url, "PUT", `/v1/users/${one}/blocks/${two}`),
      sleep(round % 3).then(end),
    ]);
    expect([200, 404]).toContain(added.status);
  }
  await finishErasures(server.db, Date.now);
  while (await sweepDeletedUsers(server.db));
  const left = await server.db.query<{ count: number }>({
    name: "test.count-blocks",
    text: "SELECT count(*) FROM blocks",
  });
  expect(left).toEqual([{ count: 0 }]);
});

test("preferences and a leave: who has left has none, and no line", async () => {
  for (let round = 0; round < scale(10, 300); round++) {
    const room = `left_${round}`;
    await chat.channels.create({ channel_id: room, name: "Room", members: ["kim_01", "lee_02"] });
    const path = `/v1/group/channels/${room}`;
    const [set] = await Promise.all([
      call(other.url, "PUT", `${path}/members/kim_01/preferences`, {
        body: { notify: "none", archived: true },
      }),
      chat.channels.members.leave(room, "kim_01"),
    ]);
    expect([200, 403]).toContain(set.status);
    await chat.channels.members.join(room, "kim_01");
    const items = await collect(chat.users.channels("kim_01", { channel_ids: [room] }));
    expect(items[0]).not.toHaveProperty("preferences");
  }
});
