import { setTimeout as sleep } from "node:timers/promises";
import { isChatError } from "@madang/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { interruptMessages } from "../../src/modules/streaming/end-store";
import { chatWith } from "../support/chat";
import { checksOf } from "../support/checks";
import { finishErasures } from "../support/erasures";
import { openLiveStream } from "../support/live-stream";
import { scale } from "../support/report";
import { startServer, startServerOn, type TestServer } from "../support/server";
import { TextFollower } from "../support/text-follower";

const rounds = scale(8, 100);
let servers: TestServer[];
let chats: ReturnType<typeof chatWith>[];
let room = "";
let count = 0;
beforeAll(async () => {
  const first = await startServer({ hasBackgroundTasks: false });
  servers = [first, await startServerOn(first.databaseUrl, { hasBackgroundTasks: false })];
  chats = servers.map((server) => chatWith(server));
  for (const user_id of ["kim_01", "lee_02"]) await chats[0]?.users.create({ user_id, name: user_id });
});
afterAll(async () => {
  for (const server of servers.toReversed()) await server.close();
});
beforeEach(() => newRoom());

async function newRoom(): Promise<void> {
  room = `race_${++count}`;
  const members = ["kim_01", "lee_02"];
  await chat(0).channels.create({ channel_id: room, name: "Race", members, reuse: false });
}

function chat(index: number): ReturnType<typeof chatWith> {
  const found = chats[index % chats.length];
  if (found === undefined) throw new Error("There is no server.");
  return found;
}

const begin = async () =>
  (await chat(0).messages.send(room, { user_id: "kim_01", type: "text", streaming: true })).message_id;

const codeOf = (error: unknown) => (isChatError(error) ? error.code : undefined);

interface Written {
  /** What was acknowledged. */
  text: string;
  /** The code with which it ended. */
  code: string | undefined;
}

/** Appends until an append is rejected, at one server after the other. */
function startWriter(channelId: string, messageId: string) {
  const written: Written = { text: "", code: undefined };
  let isStopped = false;
  const run = async () => {
    for (let index = 0; !isStopped; index += 1) {
      const content = `${index} `;
      try {
        await chat(index).messages.append(channelId, messageId, { index, content });
      } catch (error) {
        written.code = codeOf(error) ?? String(error);
        if (written.code !== "rate_limited") return;
        // It is sent again.
        written.code = undefined;
        await sleep(50);
        index -= 1;
        continue;
      }
      written.text += content;
    }
  };
  const ended = run();
  return {
    written,
    ended,
    async stop() {
      isStopped = true;
      await ended;
    },
  };
}

test("of two writers with one index, one wins, and the text has each index once", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await newRoom();
    const id = await begin();
    const accepted: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      const names = ["a", "b", "c", "d"];
      const results = await Promise.allSettled(
        names.map((name, at) => chat(at).messages.append(room, id, { index, content: name + index })),
      );
      const winners = names.filter((_, at) => results[at]?.status === "fulfilled");
      const codes = results.flatMap((result) => (result.status === "rejected" ? codeOf(result.reason) : []));
      expect(winners).toHaveLength(1);
      expect(codes).toEqual(Array(3).fill("append_out_of_order"));
      accepted.push(`${winners[0]}${index}`);
    }
    expect(await chat(1).messages.get(room, id)).toMatchObject({
      content: accepted.join(""),
      append_count: 5,
    });
  }
});

test("a writer whose request is sent twice at once gets the same result twice, and stores it once", async () => {
  const id = await begin();
  for (let index = 0; index < scale(20, 200); index += 1) {
    const append = { index, content: `${index} ` };
    const results = await Promise.all([0, 1, 0].map((at) => chat(at).messages.append(room, id, append)));
    expect(results).toEqual(Array(3).fill({ append_count: index + 1 }));
  }
  const { append_count } = Object(await chat(0).messages.get(room, id));
  expect(append_count).toBe(scale(20, 200));
});

/** What ends a writer, and the code that it then gets. */
const ends: Readonly<Record<string, { code: string; end(id: string): Promise<unknown> }>> = {
  "a mute": { code: "member_muted", end: () => chat(1).channels.members.mute(room, "kim_01") },
  "a ban": { code: "user_banned", end: () => chat(1).channels.bans.add(room, "kim_01") },
  "a leave": { code: "not_a_participant", end: () => chat(1).channels.members.leave(room, "kim_01") },
  "a freeze": { code: "channel_frozen", end: () => chat(1).channels.freeze(room, true) },
  "a deletion of the channel": { code: "channel_not_found", end: () => chat(1).channels.delete(room) },
  "a deletion of the message": { code: "message_not_found", end: (id) => chat(1).messages.delete(room, id) },
  "a cancellation": {
    code: "message_not_streaming",
    end: (id) => chat(1).messages.finish(room, id, { state: "cancelled" }),
  },
};

describe.each(Object.entries(ends))("%s", (name, { code, end }) => {
  test("takes effect with its response: nothing is appended afterwards, and nothing acknowledged is lost", async () => {
    for (let round = 0; round < rounds; round += 1) {
      await newRoom();
      const id = await begin();
      const writer = startWriter(room, id);
      await sleep(20 + Math.random() * 40);
      await end(id);
      const read = () => chat(0).messages.get(room, id);
      const before = await read().catch(codeOf);
      await writer.ended;
      expect(writer.written.code).toBe(code);
      const after = await read().catch(codeOf);
      expect(after).toEqual(before);
      if (typeof after !== "object") continue;
      expect(after).toMatchObject({ content: writer.written.text });
      if (name !== "a cancellation") await chat(1).messages.finish(room, id, { state: "done" });
      expect(await read()).toMatchObject({ content: writer.written.text });
    }
  });
});

test("a suspension takes effect with its response", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await newRoom();
    const id = await begin();
    const writer = startWriter(room, id);
    await sleep(20 + Math.random() * 40);
    await chat(1).users.suspend("kim_01");
    const before = await chat(0).messages.get(room, id);
    await writer.ended;
    await chat(1).users.unsuspend("kim_01");
    expect(writer.written.code).toBe("user_suspended");
    expect(before).toMatchObject({ content: writer.written.text });
    const { content, append_count } = Object(before);
    expect(await chat(0).messages.get(room, id)).toMatchObject({ content, append_count });
  }
});

test("an end of the lease races with appends: the text has what was acknowledged, and nothing more", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await newRoom();
    const id = await begin();
    const [, pk] = id.split("-");
    const writer = startWriter(room, id);
    const text =
      "UPDATE message_chunks SET created_at = created_at - 100000 WHERE message_pk = $1 RETURNING 1";
    const { db } = servers[0] ?? expect.fail();
    const schema = db.channel(room);
    while (Object(await chat(0).messages.get(room, id)).state === "streaming") {
      await schema.query({ name: "test.expire-all", text }, [Number(pk)]);
      await interruptMessages(schema, checksOf(db), Date.now());
    }
    await writer.ended;
    expect(writer.written.code).toBe("message_not_streaming");
    expect(await chat(1).messages.get(room, id)).toMatchObject({
      state: "interrupted",
      content: writer.written.text,
    });
  }
});

test("retention erases a message that is being written, with its text", async () => {
  const id = await begin();
  const writer = startWriter(room, id);
  await sleep(50);
  const { db } = servers[0] ?? expect.fail();
  const text = "UPDATE channels SET retention_days = 0 WHERE channel_id = $1 RETURNING 1";
  await db.channel(room).query({ name: "test.expire-channel", text }, [room]);
  const step = createSweeper(db, undefined);
  while (await step());
  await writer.ended;
  expect(writer.written.code).toBe("message_not_found");
  const chunks = {
    name: "test.count-chunks",
    text: "SELECT count(*) FROM message_chunks WHERE message_pk = $1",
  };
  const [, pk] = id.split("-");
  expect(await db.channel(room).query(chunks, [Number(pk)])).toEqual([{ count: 0 }]);
});

test("an erasure of the sender ends a writer, and leaves nothing of what it wrote", async () => {
  const { db } = servers[0] ?? expect.fail();
  for (let round = 0; round < rounds; round += 1) {
    const bot = `bot_${round}`;
    await chat(0).users.create({ user_id: bot, name: bot });
    await chat(0).channels.members.join(room, bot);
    const { message_id: id } = await chat(0).messages.send(room, {
      user_id: bot,
      type: "text",
      streaming: true,
    });
    const writer = startWriter(room, id);
    await expect.poll(() => writer.written.text, { interval: 1 }).not.toBe("");
    await sleep(20 + Math.random() * 40);
    const erasing = chat(1).privacy.erase({ user_id: bot, messages: "erase" });
    await erasing;
    while ((await chat(1).privacy.get((await erasing).erasure_id)).status !== "done")
      await finishErasures(db);
    await writer.ended;
    expect(["user_not_found", "message_not_found"]).toContain(writer.written.code);
    expect(await chat(0).messages.get(room, id).catch(codeOf)).toBe("message_not_found");
    const text = "SELECT content FROM message_chunks WHERE message_pk = $1";
    const chunks = { name: "test.chunks-of-message", text };
    expect(await db.channel(room).query(chunks, [Number(id.split("-")[1])])).toEqual([]);
  }
});

test("two ends at once: one wins, and repeating it changes nothing", async () => {
  for (let round = 0; round < rounds; round += 1) {
    await newRoom();
    const id = await begin();
    await chat(0).messages.append(room, id, { index: 0, content: "Hi" });
    const states = ["done", "cancelled"] as const;
    const results = await Promise.allSettled(
      states.map((state, at) => chat(at).messages.finish(room, id, { state })),
    );
    const winners = states.filter((_, at) => results[at]?.status === "fulfilled");
    expect(winners).toHaveLength(1);
    const [state = "done"] = winners;
    await chat(0).messages.finish(room, id, { state });
    const message = await chat(1).messages.get(room, id);
    expect(Object(message).state).toBe(state === "done" ? undefined : "cancelled");
    const { events } = await chat(0).events.list({ channel_id: room, types: ["message.updated"] });
    expect(events).toHaveLength(1);
  }
});

test("listeners that join, leave and reconnect at any moment see the same text", async () => {
  const messages = scale(6, 30);
  const listeners = 8;
  const ids: string[] = [];
  for (let index = 0; index < messages; index += 1) ids.push(await begin());
  const writers = ids.map((id) => startWriter(room, id));
  const followers: TextFollower[] = [];
  const until = performance.now() + scale(2_000, 20_000);
  const channelId = room;
  /** Follows all messages, over streams that end at random moments. */
  const listen = async (at: number) => {
    await sleep(Math.random() * 500);
    const own: TextFollower[] = [];
    for (let after = "latest"; ; ) {
      const server = servers[at % servers.length] ?? expect.fail();
      const query = `live=true&channel_id=${channelId}&after=${after}`;
      const stream = await openLiveStream(server.url, query, (event) => {
        after = event.id ?? after;
        for (const follower of own) follower.receive(event);
      });
      // A listener reads after its stream has begun: at the first connection, and after each gap.
      if (own.length === 0)
        for (const id of ids)
          own.push(
            new TextFollower(id, () =>
              chat(at)
                .messages.get(channelId, id)
                .then((message) => Object(message)),
            ),
          );
      else for (const follower of own) follower.readAgain();
      const isLast = performance.now() > until;
      if (isLast) await expect.poll(() => own.every(({ isEnded }) => isEnded)).toBe(true);
      else await sleep(Math.random() * 400);
      stream.close();
      await stream.ended;
      if (isLast) break;
    }
    for (const follower of own) await follower.settled();
    followers.push(...own);
  };
  const listening = Array.from({ length: listeners }, (_, at) => listen(at));
  while (performance.now() < until) await sleep(20);
  for (const writer of writers) await writer.stop();
  for (const id of ids) await chat(1).messages.finish(channelId, id, { state: "done" });
  await Promise.all(listening);
  const texts = new Map(ids.map((id, index) => [id, writers[index]?.written.text]));
  expect(followers).toHaveLength(messages * listeners);
  for (const { messageId, text } of followers) expect(text).toBe(texts.get(messageId));
});
