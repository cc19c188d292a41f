import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { call, type Reply } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { scale } from "../support/report";
import { type Rival, startRival } from "./rival";

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

const clients = 32;
const rounds = scale(600, 10_000);
const users = Array.from({ length: 6 }, (_, index) => `writer_${index}`);
/** The first is written by half of all sends, and the last is frozen for those who are not its managers. */
const channels = Array.from({ length: 20 }, (_, index) => `batch_${index}`);
const frozen = channels.at(-1) ?? "";

const pick = <Item>(list: readonly Item[], index: number) => list[index % list.length] as Item;
const send = (server: number, channel: string, user_id: string, content: string, idempotencyKey: string) =>
  call(pick(servers, server).url, "POST", `/v1/group/channels/${channel}/messages`, {
    body: { user_id, type: "text", content },
    idempotencyKey,
  });

/** Repeats a request with one key, partly to both processes at once, until the result is certain. */
async function request(index: number, attemptOn: (server: number) => Promise<Reply>): Promise<Reply> {
  for (let attempt = 0; ; attempt++) {
    const attempts = [attemptOn(index + attempt)];
    if (index % 4 === 0) attempts.push(attemptOn(index + attempt + 1));
    const replies = await Promise.all(attempts);
    const certain = replies.filter(
      ({ status, body }) => status !== 503 && body.code !== "idempotency_key_in_use",
    );
    const [reply] = certain;
    if (reply === undefined) {
      await sleep(5);
      continue;
    }
    const idOf = ({ body }: Reply) => body.message_id ?? body.read_message_id ?? body.created_at;
    expect(certain.map(idOf)).toEqual(certain.map(() => idOf(reply)));
    return reply;
  }
}

const createUser = (server: number, user_id: string, idempotencyKey: string) =>
  call(pick(servers, server).url, "POST", "/v1/users", { body: { user_id, name: user_id }, idempotencyKey });

/** Marks everything as read. */
const markRead = (server: number, channel: string, user: string, idempotencyKey: string) =>
  call(pick(servers, server).url, "PUT", `/v1/group/channels/${channel}/members/${user}/read`, {
    idempotencyKey,
  });

const touch: Statement<unknown> = {
  name: "test.touch",
  text: "UPDATE channels SET is_frozen = is_frozen WHERE channel_id = $1",
};

const cancelOne: Statement<unknown> = {
  name: "test.cancel-one",
  text: `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
    AND pid <> pg_backend_pid() AND state = 'active' AND query ~ '^WITH .*(sender|until_at)' LIMIT 1`,
};

/** Locks the rows of a channel for a moment, and cancels a running statement of the servers, until it is stopped. */
function disturb(): { stop(): Promise<number> } {
  let isStopped = false;
  let canceled = 0;
  const work = async () => {
    const db = await openDatabase(database.url);
    for (let count = 0; !isStopped; count++) {
      const channel = pick(channels, count);
      await db.channel(channel).transaction(async (tx) => {
        await tx.query(touch, [channel]);
        await sleep(10);
        canceled += (await tx.query(cancelOne)).length;
      });
      await sleep(10);
    }
    await db.close();
  };
  const worked = work();
  return {
    async stop() {
      isStopped = true;
      await worked;
      return canceled;
    },
  };
}

test("batches of sends, new users and read marks beside locked rows, canceled statements and repeated keys: nothing is lost, doubled, reordered or falsely rejected", async () => {
  const [{ url }] = servers;
  for (const user_id of [...users, "outsider"])
    await call(url, "POST", "/v1/users", { body: { user_id, name: user_id } });
  for (const channel_id of channels)
    await call(url, "POST", "/v1/group/channels", { body: { channel_id, name: channel_id, members: users } });
  await call(url, "POST", `/v1/group/channels/${frozen}/managers`, { body: { manager: "writer_0" } });
  await call(url, "PUT", `/v1/group/channels/${frozen}/freeze`, { body: { freeze: true } });

  const acknowledged = new Map<string, string[]>(channels.map((channel) => [channel, []]));
  const marks: { of: string; at: readonly number[] }[] = [];
  const disturber = disturb();
  onTestFinished(async () => void (await disturber.stop()));
  const client = async (number: number) => {
    for (let round = number; round < rounds; round += clients) {
      const channel = round % 2 === 0 ? pick(channels, 0) : pick(channels, round + number);
      const user = round % 11 === 0 ? "outsider" : round % 13 === 0 ? "unknown_user" : pick(users, round);
      const content = `${number} ${round}`;
      const key = content.replace(" ", "-");
      const [reply, created, marked] = await Promise.all([
        request(round, (server) => send(server, channel, user, content, key)),
        request(round, (server) => createUser(server, `user_${round}`, `create-${key}`)),
        request(round, (server) => markRead(server, channel, pick(users, number), `read-${key}`)),
      ]);
      expect(created).toMatchObject({ status: 201, body: { user_id: `user_${round}` } });
      expect(marked.status).toBe(200);
      const at = marked.body.read_message_id?.split("-").map(Number);
      if (at !== undefined) marks.push({ of: `${channel} ${pick(users, number)} ${number}`, at });
      const expected =
        user === "outsider"
          ? [403, "not_a_participant"]
          : user === "unknown_user"
            ? [404, "user_not_found"]
            : channel === frozen && user !== "writer_0"
              ? [403, "channel_frozen"]
              : [201, undefined];
      expect([reply.status, reply.body.code], JSON.stringify(reply.body)).toEqual(expected);
      if (reply.status === 201) acknowledged.get(channel)?.push(reply.body.content);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const canceled = await disturber.stop();
  expect(canceled).toBeGreaterThan(0);

  for (const sameClient of Map.groupBy(marks, ({ of }) => of).values()) {
    const times = sameClient.map(({ at }) => at);
    expect(times).toEqual(
      times.toSorted(([at = 0, pk = 0], [otherAt = 0, otherPk = 0]) => at - otherAt || pk - otherPk),
    );
  }
  for (const [channel, contents] of acknowledged) {
    const stored = await readAll(url, channel);
    expect(stored.toSorted()).toEqual(contents.toSorted());
    const { body } = await call(url, "GET", `/v1/group/channels/${channel}`);
    expect(body.total_message_count).toBe(contents.length);
    // Each client sends its next message after the response to the one before.
    for (let number = 0; number < clients; number++) {
      const ofClient = (list: readonly string[]) =>
        list.filter((content) => content.startsWith(`${number} `));
      expect(ofClient(stored)).toEqual(ofClient(contents));
    }
  }
});

/** The contents of a channel's messages, oldest first. */
async function readAll(url: string, channel: string): Promise<string[]> {
  const contents: string[] = [];
  let query = "limit=1000";
  for (;;) {
    const { body } = await call(url, "GET", `/v1/exports/group/channels/${channel}/messages?${query}`);
    contents.push(...body.messages.map(({ content }: { content: string }) => content));
    if (body.next === undefined) return contents.reverse();
    query = `next=${encodeURIComponent(body.next)}`;
  }
}
