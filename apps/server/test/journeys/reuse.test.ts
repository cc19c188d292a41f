import type { ChatClient } from "@madang/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findPair } from "../../src/chat/channels/reuse-store";
import { chatWith } from "../support/chat";
import { isDistributed } from "../support/citus";
import { startServer, startServerOn, type TestServer } from "../support/server";
import { createUsers } from "../support/users";

let server: TestServer;
let chat: ChatClient;
let round = 0;
/** Three users, new for every test. */
let [a, b, c] = ["", "", ""];

beforeAll(async () => {
  server = await startServer();
  chat = chatWith(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  round += 1;
  [a, b, c] = [`ann_${round}`, `ben_${round}`, `cho_${round}`];
  await createUsers(chat, [a, b, c]);
});

const create = async (id: string, members: string[], reuse = true) => {
  const { channel, created } = await chat.channels.create({
    channel_id: `${id}_${round}`,
    name: id,
    members,
    reuse,
  });
  return {
    id: channel.channel_id.replace(/_\d+$/, ""),
    created,
    members: channel.members.map((user) => user.user_id),
  };
};

describe("reuse", () => {
  test("returns the channel of the pair, in either order, and ignores the rest of the request", async () => {
    expect(await create("first", [a, b])).toMatchObject({ id: "first", created: true });
    expect(await create("other", [b, a, b])).toEqual({ id: "first", created: false, members: [a, b] });
    expect(await create("first", [a, b])).toMatchObject({ id: "first", created: false });
  });

  test.skipIf(isDistributed)(
    "finds the channel through an index, however many channels there are",
    async () => {
      await server.db.query({
        name: "test.many-channels",
        text: `INSERT INTO channels (channel_id, name, created_at, updated_at)
        SELECT 'many_' || number, 'Room', 0, 0 FROM generate_series(1, 5000) AS number`,
      });
      await server.db.query({ name: "test.analyze", text: "ANALYZE channels" });
      const explain = { name: "test.explain-find-pair", text: `EXPLAIN ${findPair.statement.text}` };
      const plan = JSON.stringify(
        await server.db.query(explain, [[JSON.stringify([a, b])], null, [null], [null], [null], [null]]),
      );
      expect(plan).toContain("channels_live_by_pair");
      expect(plan).not.toContain("Seq Scan on channels");
    },
  );

  test("finds channels that were created without reuse, and returns the newest", async () => {
    await create("old1", [a, b], false);
    await create("new1", [a, b], false);
    expect(await create("third", [a, b])).toMatchObject({ id: "new1", created: false });
  });

  test("finds a channel that the two joined one by one", async () => {
    await create("empty", [], false);
    await chat.channels.members.join(`empty_${round}`, b);
    await chat.channels.members.join(`empty_${round}`, a);
    expect(await create("other", [a, b])).toMatchObject({ id: "empty", created: false });
  });

  test("skips a channel that ever had another participant", async () => {
    await create("first", [a, b], false);
    await chat.channels.members.join(`first_${round}`, c);
    expect(await create("while", [a, b])).toMatchObject({ id: "while", created: true });
    await chat.channels.delete(`while_${round}`);
    await chat.channels.members.leave(`first_${round}`, c);
    expect(await create("after", [a, b])).toMatchObject({ id: "after", created: true });
  });

  test("skips a channel that was created with three users, after the third has left", async () => {
    await create("three", [a, b, c], false);
    await chat.channels.members.leave(`three_${round}`, c);
    expect(await create("pair", [a, b])).toMatchObject({ id: "pair", created: true });
  });

  test("skips a channel that ever had a manager, even one of the two", async () => {
    await create("first", [a, b], false);
    await chat.channels.managers.add(`first_${round}`, a);
    await chat.channels.managers.remove(`first_${round}`, a);
    expect(await create("other", [a, b])).toMatchObject({ id: "other", created: true });
  });

  test("skips a channel that one of the two has left, and finds it after that user has joined again", async () => {
    await create("first", [a, b], false);
    await chat.channels.members.leave(`first_${round}`, a);
    expect(await create("other", [a, b])).toMatchObject({ created: true });
    await chat.channels.delete(`other_${round}`);
    await chat.channels.members.join(`first_${round}`, a);
    expect(await create("third", [a, b])).toMatchObject({ id: "first", created: false });
  });

  test("distinguishes a new user from a deleted participant with the same id", async () => {
    await create("first", [a, b], false);
    await chat.users.delete(a);
    await createUsers(chat, [a]);
    expect(await create("other", [a, b])).toMatchObject({ id: "other", created: true });
    await chat.channels.members.join(`first_${round}`, a);
    await chat.channels.delete(`other_${round}`);
    expect(await create("third", [a, b])).toMatchObject({ id: "third", created: true });
  });

  test("does not return a deleted channel", async () => {
    await create("first", [a, b]);
    await chat.channels.delete(`first_${round}`);
    expect(await create("other", [a, b])).toMatchObject({ id: "other", created: true });
  });

  test("creates a channel for one or three users, or without reuse", async () => {
    expect(await create("one1", [a])).toMatchObject({ created: true });
    expect(await create("one2", [a, a])).toMatchObject({ created: true });
    expect(await create("thr1", [a, b, c])).toMatchObject({ created: true });
    expect(await create("thr2", [a, b, c])).toMatchObject({ created: true });
    expect(await create("two1", [a, b], false)).toMatchObject({ created: true });
    expect(await create("two2", [a, b], false)).toMatchObject({ created: true });
  });

  test("concurrent creates in two processes end with one channel", async () => {
    const other = await startServerOn(server.databaseUrl);
    const chats = [chat, chatWith(other)];
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        (chats[index % 2] ?? chat).channels.create({
          channel_id: `race_${round}_${index}`,
          name: "race",
          members: index % 3 === 0 ? [a, b] : [b, a],
          reuse: true,
        }),
      ),
    );
    expect(new Set(results.map(({ channel }) => channel.channel_id)).size).toBe(1);
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    await other.close();
  });
});
