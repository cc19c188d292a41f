import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { chatWith } from "../support/chat";
import { scale } from "../support/report";
import { startServer, startServerOn } from "../support/server";

const people = 32;
const steps = scale(300, 20_000);

const first = await startServer();
const servers = [first, await startServerOn(first.databaseUrl)] as const;
afterAll(async () => {
  await servers[1].close();
  await servers[0].close();
});

const pick = <Item>(list: readonly Item[]): Item | undefined => list[Math.floor(Math.random() * list.length)];

/**
 * Each person writes, reads, leaves and joins, one step after another, so its own model knows its mark. What another
 * person sees while steps run must be possible; afterwards, it must be exact.
 */
test("a model with 32 writers, readers and leavers finds no wrong reader, while they act and afterwards", async () => {
  const chats = [chatWith(servers[0]), chatWith(servers[1])] as const;
  const ids = Array.from({ length: people }, (_, index) => `person_${index}`);
  for (const user_id of ids) await chats[0].users.create({ user_id, name: "Person" });
  await chats[0].channels.create({ channel_id: "receipts", name: "Receipts", members: ids });
  const messages: string[] = [];
  const senders = new Map<string, string>();
  const times = new Map<string, { sentFrom: number; sentTo: number }>();
  const joined = new Map<string, { from: number; to: number }>();
  /** Where a person certainly has its mark, and where it may have it while a step runs. Undefined: not a participant. */
  const certain = new Map<string, number | undefined>(ids.map((id) => [id, -1]));
  const possible = new Map<string, Set<number | undefined>>(ids.map((id) => [id, new Set([-1])]));
  /** How often the mark of each person was settled: a person may leave, come back and read again during one request of another. */
  const changes = new Map<string, number>();
  /** The messages of a channel get their keys in the order in which they are stored. */
  const numberOf = (messageId: string) => Number(messageId.split("-")[1]);

  let left = steps;
  const act = async (id: string, index: number) => {
    const chat = chats[index % 2 === 0 ? 0 : 1];
    const settle = (mark: number | undefined) => {
      changes.set(id, (changes.get(id) ?? 0) + 1);
      certain.set(id, mark);
      possible.set(id, new Set([mark]));
    };
    while (left-- > 0) {
      const mark = certain.get(id);
      if (mark === undefined) {
        possible.get(id)?.add(-1);
        const from = performance.now();
        await chat.channels.members.join("receipts", id);
        joined.set(id, { from, to: performance.now() });
        settle(-1);
        continue;
      }
      const dice = Math.random();
      if (dice < 0.25) {
        const sentFrom = performance.now();
        const { message_id } = await chat.messages.send("receipts", {
          user_id: id,
          type: "text",
          content: "Hi",
        });
        times.set(message_id, { sentFrom, sentTo: performance.now() });
        senders.set(message_id, id);
        messages.push(message_id);
      } else if (dice < 0.6) {
        const target = pick(messages);
        if (target === undefined) continue;
        const moved = Math.max(mark, numberOf(target));
        possible.get(id)?.add(moved);
        const { from, to } = joined.get(id) ?? { from: 0, to: 0 };
        const { sentFrom = 0, sentTo = 0 } = times.get(target) ?? {};
        const state = await chat.channels.members.markRead("receipts", id, target);
        const read = state.read_message_id === undefined ? -1 : numberOf(state.read_message_id);
        // A mark is not before the time of joining.
        if (mark >= 0 || sentFrom > to) expect(read).toBe(moved);
        else if (sentTo < from) expect(read).toBe(-1);
        else expect([-1, moved]).toContain(read);
        settle(read);
      } else if (dice < 0.65) {
        possible.get(id)?.add(undefined);
        await chat.channels.members.leave("receipts", id);
        settle(undefined);
      } else {
        const target = pick(messages);
        if (target === undefined) continue;
        const before = new Map(ids.map((other) => [other, new Set(possible.get(other))]));
        const changesBefore = new Map(changes);
        const { readers, reader_count, member_count } = await chat.messages.readers("receipts", target);
        expect(reader_count).toBe(readers.length);
        expect(member_count).toBeLessThanOrEqual(people);
        expect(readers.map(({ user_id }) => user_id)).not.toContain(senders.get(target));
        for (const other of ids) {
          if (other === senders.get(target)) continue;
          // Steps of others that began or ended meanwhile: any of these marks was theirs at some moment of the request.
          const marks = [...(before.get(other) ?? []), ...(possible.get(other) ?? [])];
          const isShown = readers.some(({ user_id }) => user_id === other);
          const steady = new Set(marks.map((one) => one !== undefined && one >= numberOf(target)));
          if (steady.size === 1 && other === id) expect([other, isShown]).toEqual([other, steady.has(true)]);
          // A person who read this message, stayed and did nothing else meanwhile is shown.
          const isUnchanged = changes.get(other) === changesBefore.get(other);
          if (steady.size === 1 && steady.has(true) && isUnchanged)
            expect([other, isShown]).toEqual([other, true]);
        }
      }
      await sleep(0);
    }
  };
  await Promise.all(ids.map(act));

  const [chat] = chats;
  const members = (await chat.channels.members.list("receipts")).map(({ user_id }) => user_id);
  expect([...members].sort()).toEqual(ids.filter((id) => certain.get(id) !== undefined).sort());
  for (const message of [...messages.slice(0, 20), ...messages.slice(-20)]) {
    const { readers, member_count } = await chat.messages.readers("receipts", message);
    // In the order of the list of participants.
    expect(readers.map(({ user_id }) => user_id)).toEqual(
      members.filter((id) => id !== senders.get(message) && (certain.get(id) ?? -1) >= numberOf(message)),
    );
    expect(member_count).toBe(members.length);
  }
});

test("a reader who left and came back is none until it reads again", async () => {
  const chat = chatWith(servers[0]);
  for (const user_id of ["sender_1", "reader_1"]) await chat.users.create({ user_id, name: "User" });
  await chat.channels.create({ channel_id: "back", name: "Back", members: ["sender_1", "reader_1"] });
  const { message_id } = await chat.messages.send("back", {
    user_id: "sender_1",
    type: "text",
    content: "Hi",
  });
  const readers = async () => {
    const found = await chat.messages.readers("back", message_id);
    return [found.readers.map(({ user_id }) => user_id), found.member_count];
  };
  await chat.channels.members.markRead("back", "reader_1");
  expect(await readers()).toEqual([["reader_1"], 2]);
  await chat.channels.members.leave("back", "reader_1");
  expect(await readers()).toEqual([[], 1]);
  await chat.channels.members.join("back", "reader_1");
  expect(await readers()).toEqual([[], 2]);
  const later = await chat.messages.send("back", { user_id: "sender_1", type: "text", content: "Hi" });
  await chat.channels.members.markRead("back", "reader_1", later.message_id);
  expect(await readers()).toEqual([["reader_1"], 2]);
});

test("a send writes nothing for each member", async () => {
  const [server] = servers;
  const chat = chatWith(server);
  await chat.users.create({ user_id: "writer_1", name: "Writer" });
  const members = Array.from({ length: people }, (_, index) => `member_${index}`);
  for (const user_id of members) await chat.users.create({ user_id, name: "Member" });
  await chat.channels.create({ channel_id: "alone", name: "Alone", members: [...members, "writer_1"] });
  const versions = () =>
    server.db.channel("alone").query({
      name: "test.member-versions",
      text: `SELECT e.ctid::text, e.xmin::text FROM members e
        JOIN channels c ON c.pk = e.channel_pk WHERE channel_id = 'alone' ORDER BY 1`,
    });
  const before = await versions();
  for (let count = 0; count < 5; count++)
    await chat.messages.send("alone", { user_id: "writer_1", type: "text", content: "Hi" });
  expect(await versions()).toEqual(before);
});
