import { afterAll, expect, test } from "vitest";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { finishErasures } from "../support/erasures";
import { startServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";

let round = 0;
const server = await startServer();
const chat = chatWith(server);
afterAll(() => server.close());

/** A channel with two participants. */
async function createRoom() {
  round += 1;
  const [room, kim, lee] = [`room_${round}`, `kim_${round}`, `lee_${round}`];
  for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: "User" });
  await chat.channels.create({ channel_id: room, name: "Room", members: [kim, lee] });
  const send = (content: string, links: { reply_to?: string; mentions?: string[] } = {}, user_id = kim) =>
    chat.messages.send(room, { user_id, type: "text", content, ...links });
  const entry = async (user = lee) => {
    const found = (await chat.users.channels(user).toArray()).find(({ channel_id }) => channel_id === room);
    return { unread: found?.unread_count, mentions: found?.mention_count };
  };
  /** The message wherever messages are read. */
  const everywhere = async (id: string, text: string) => {
    const exported = await chat.exports.messages(room).toArray();
    return {
      get: await chat.messages.get(room, id),
      list: (await chat.messages.list(room).toArray()).find(({ message_id }) => message_id === id),
      around: (await chat.messages.list(room, { around: id }).firstPage()).items.find(
        ({ message_id }) => message_id === id,
      ),
      export: exported.find(({ message_id }) => message_id === id),
      search: (await chat.messages.search(room, { q: text }).toArray())[0],
      searchOfUser: (await chat.users.searchMessages(lee, { q: text }).toArray())[0],
      searchAll: (await chat.messages.searchAll({ q: text }).toArray())[0],
    };
  };
  return { room, kim, lee, send, entry, everywhere };
}

const latest = async () => (await chat.events.list({ after: "latest" })).next;
const eventsAfter = async (after: string) => (await chat.events.list({ after })).events;

test("a system message has no user and no unread count anywhere, and is otherwise a message", async () => {
  const { room, kim, lee, send, entry, everywhere } = await createRoom();
  const after = await latest();
  const text = `Taxi${round}`;
  const system = await chat.messages.send(room, { type: "system", content: text, mentions: [lee] });
  expect(system).not.toHaveProperty("user");
  const { message_id: id } = system;
  for (const found of Object.values(await everywhere(id, text))) expect(found).toEqual(system);
  expect((await eventsAfter(after)).map(({ type, data }) => ({ type, data }))).toEqual([
    { type: "message.created", data: { message_id: id, message: system } },
  ]);

  // Not unread, but a mention of it counts.
  expect(await entry()).toEqual({ unread: 0, mentions: 1 });
  expect(await chat.users.unread(lee)).toEqual({ unread_count: 0, channel_count: 0, quiet_unread_count: 0 });
  expect((await chat.channels.members.get(room, lee)).unread_count).toBe(0);
  expect(await chat.users.channels(lee, { unread: true }).toArray()).toEqual([]);
  const [inbox] = await chat.users.channels(lee).toArray();
  expect(inbox).toMatchObject({ last_message: { message_id: id }, total_message_count: 1 });

  // It has no sender who would be no reader.
  for (const user of [kim, lee]) await chat.channels.members.markRead(room, user, id);
  expect(await chat.messages.readers(room, id)).toMatchObject({ reader_count: 2, member_count: 2 });
  expect(await entry()).toEqual({ unread: 0, mentions: 0 });

  const reply = await send("Thanks", { reply_to: id });
  await chat.messages.reactions.add(room, id, "👍", lee);
  await chat.messages.pin(room, id);
  expect(await chat.messages.replies(room, id).toArray()).toEqual([reply]);
  expect(await chat.channels.pins(room).toArray()).toMatchObject([
    { message_id: id, reply_count: 1, reactions: [{ reaction: "👍", count: 1 }] },
  ]);
  const edited = await chat.messages.update(room, id, { content: "Gone" });
  expect(edited).toMatchObject({ type: "system", content: "Gone", edited_at: edited.updated_at });

  // Nobody has sent it: it is no data of a person, and no filter by sender finds it.
  expect(await chat.messages.search(room, { q: "Gone", user_id: kim }).toArray()).toEqual([]);
  const persons = [];
  for await (const { items } of chat.privacy.export(kim).pages()) persons.push(...items);
  expect(persons.map(({ message_id }) => message_id)).toEqual([reply.message_id]);
  await chat.messages.delete(room, id);
  expect((await chat.messages.get(room, reply.message_id)).reply_to).toBe(id);
});

test("an imported system message has no user either, and replies and mentions of an import count", async () => {
  const { room, kim, lee, entry } = await createRoom();
  // After joining.
  const created_at = (await chat.channels.members.get(room, lee)).joined_at + 1;
  while (Date.now() <= created_at + 2);
  await chat.imports.messages(room, [
    { type: "system", external_id: "a", content: "Opened", created_at },
    {
      type: "text",
      user_id: kim,
      content: "Hi",
      reply_to: "a",
      mentions: [lee, lee],
      created_at: created_at + 1,
    },
  ]);
  const [hi, opened] = await chat.messages.list(room).toArray();
  expect(opened).toMatchObject({ type: "system", content: "Opened", reply_count: 1 });
  expect(opened).not.toHaveProperty("user");
  expect(hi).toMatchObject({ reply_to: opened?.message_id, mentions: [lee] });
  expect(await entry()).toEqual({ unread: 1, mentions: 1 });
});

test("edited_at follows the content and updated_at also the metadata, wherever a message is read", async () => {
  const { room, send, everywhere } = await createRoom();
  const text = `Noon${round}`;
  const sent = await send(`At ${round}`);
  expect(sent).not.toHaveProperty("edited_at");
  const marked = await chat.messages.update(room, sent.message_id, { meta: { a: "1" } });
  expect(marked.updated_at).toBeGreaterThan(sent.updated_at);
  expect(marked).not.toHaveProperty("edited_at");
  const edited = await chat.messages.update(room, sent.message_id, { content: text });
  expect(edited.edited_at).toBe(edited.updated_at);
  const again = await chat.messages.update(room, sent.message_id, { meta: {} });
  expect(again.edited_at).toBe(edited.edited_at);
  expect(again.updated_at).toBeGreaterThan(edited.updated_at);
  for (const found of Object.values(await everywhere(sent.message_id, text))) expect(found).toEqual(again);
});

test("replies, mentions and their count are the same wherever a message is read", async () => {
  const { room, lee, kim, send, everywhere } = await createRoom();
  const text = `Question${round}`;
  const { message_id } = await send(text);
  const reply = await send(`Answer${round}`, { reply_to: message_id, mentions: [lee, kim] });
  expect(reply).toMatchObject({ reply_to: message_id, mentions: [lee, kim] });
  const found = await chat.messages.get(room, message_id);
  expect(found.reply_count).toBe(1);
  for (const each of Object.values(await everywhere(message_id, text))) expect(each).toEqual(found);
  for (const each of Object.values(await everywhere(reply.message_id, `Answer${round}`)))
    expect(each).toEqual(reply);
});

test("mention_count is exact up to 100, through edits, deletions, read marks and rejoining", async () => {
  const { room, kim, lee, send, entry } = await createRoom();
  const sent = [];
  for (let count = 0; count < 99; count++) sent.push((await send("Hi", { mentions: [lee] })).message_id);
  await send("Not you", { mentions: [kim] });
  await send("Myself", { mentions: [lee] }, lee);
  expect(await entry()).toEqual({ unread: 100, mentions: 99 });
  sent.push((await send("Hi", { mentions: [lee, kim, lee] })).message_id);
  expect(await entry()).toEqual({ unread: 100, mentions: 100 });
  sent.push((await send("Hi", { mentions: [lee] })).message_id);
  expect((await entry()).mentions).toBe(100);
  const [first = "", second = "", third = ""] = sent;
  await chat.messages.update(room, first, { content: "Edited" });
  expect((await chat.messages.get(room, first)).mentions).toEqual([lee]);
  for (const id of [first, second, third]) await chat.messages.delete(room, id);
  expect((await entry()).mentions).toBe(98);
  // What is at the mark is read.
  await chat.channels.members.markRead(room, lee, sent[10] ?? "");
  expect((await entry()).mentions).toBe(90);
  await chat.messages.delete(room, sent[5] ?? "");
  expect((await entry()).mentions).toBe(90);
  await chat.channels.members.leave(room, lee);
  await chat.channels.members.join(room, lee);
  expect(await entry()).toEqual({ unread: 0, mentions: 0 });
});

test("a mention is of a user, not of an id that another user gets later", async () => {
  const { room, kim, lee, send, entry } = await createRoom();
  const { message_id } = await send("Hi", { mentions: [lee] });
  await chat.users.delete(lee);
  while (await sweepDeletedUsers(server.db));
  expect((await chat.messages.get(room, message_id)).mentions).toEqual([lee]);
  await chat.users.create({ user_id: lee, name: "Another" });
  await chat.channels.members.join(room, lee);
  // Even if the message came after it had joined.
  await server.db.channel(room).query({
    name: "test.join-earlier",
    text: "UPDATE members SET joined_at = 0, position = 0 RETURNING 1",
  });
  expect((await entry()).mentions).toBe(0);
  expect((await entry(kim)).mentions).toBe(0);
});

test("the count of replies follows deletions; replies to a deleted message stay, and its own list is gone", async () => {
  const { room, send } = await createRoom();
  const { message_id: parent } = await send("Question");
  const replies = [];
  for (const content of ["one", "two", "three"]) replies.push(await send(content, { reply_to: parent }));
  const [one, two, three] = replies.map(({ message_id }) => message_id) as [string, string, string];
  await chat.messages.delete(room, two);
  const counted = async () => (await chat.messages.get(room, parent)).reply_count;
  expect(await counted()).toBe(2);
  const page = await chat.messages.replies(room, parent, { pageSize: 1 }).firstPage();
  expect(page.items.map(({ message_id }) => message_id)).toEqual([one]);
  const following = await chat.messages.replies(room, parent, { cursor: page.nextCursor }).toArray();
  expect(following.map(({ message_id }) => message_id)).toEqual([three]);
  // A cursor continues after a reply that was deleted meanwhile.
  await chat.messages.delete(room, one);
  const rest = await chat.messages.replies(room, parent, { cursor: page.nextCursor }).toArray();
  expect(rest.map(({ message_id }) => message_id)).toEqual([three]);
  await chat.messages.delete(room, three);
  expect(await counted()).toBeUndefined();

  const kept = await send("four", { reply_to: parent });
  await chat.messages.delete(room, parent);
  expect(await chat.messages.get(room, kept.message_id)).toEqual(kept);
  await expect(chat.messages.replies(room, parent).toArray()).rejects.toMatchObject({
    code: "message_not_found",
  });
  await expect(send("five", { reply_to: parent })).rejects.toMatchObject({ code: "message_not_found" });
  // A reply to a deleted message counts nowhere when it is deleted too.
  await chat.messages.delete(room, kept.message_id);
  expect(await chat.messages.list(room).toArray()).toEqual([]);
});

test("a message that was erased by age can neither be replied to nor mention somebody unread", async () => {
  const { room, kim, lee, send, entry } = await createRoom();
  const month = 30 * 86_400_000;
  await server.db.channel(room).query({
    name: "test.joined-long-ago",
    text: `UPDATE members SET joined_at = 0 WHERE channel_pk = (SELECT pk FROM channels WHERE channel_id = '${room}') RETURNING 1`,
  });
  const text = { type: "text", user_id: kim, content: "Old", mentions: [lee] } as const;
  await chat.imports.messages(room, [
    { ...text, external_id: "old", created_at: Date.now() - month },
    { ...text, content: "New", reply_to: "old", created_at: Date.now() - 1_000 },
  ]);
  const [fresh, old] = await chat.messages.list(room).toArray();
  expect(await entry()).toEqual({ unread: 2, mentions: 2 });
  await chat.channels.setRetention(room, { days: 7, hold: false });
  const step = createSweeper(server.db, undefined);
  while (await step());
  expect(await entry()).toEqual({ unread: 1, mentions: 1 });
  const after = await latest();
  const gone = { code: "message_not_found" };
  const id = old?.message_id ?? "";
  const path = `/v1/group/channels/${room}/messages/${id}`;
  await expect(send("Reply", { reply_to: id })).rejects.toMatchObject(gone);
  for (const [method, end] of [
    ["GET", "/replies"],
    ["GET", "/reactions"],
    ["GET", "/readers"],
    ["PUT", "/pin"],
    ["PUT", `/reactions/ok/${lee}`],
  ] as const)
    expect([end, (await call(server.url, method, path + end)).body.code]).toEqual([end, "message_not_found"]);
  expect(await eventsAfter(after)).toEqual([]);
  // What was swept leaves its reply as a deletion does.
  expect((await chat.messages.get(room, fresh?.message_id ?? "")).reply_to).toBe(id);
});

test("events show a reply and its mentions until they are erased, and nothing of them afterwards", async () => {
  const { room, lee, send } = await createRoom();
  const after = await latest();
  const { message_id: parent } = await send("Private question");
  const reply = await send("Private answer", { reply_to: parent, mentions: [lee] });
  await chat.messages.update(room, reply.message_id, { content: "Private answer, edited" });
  await chat.messages.reactions.add(room, reply.message_id, "private_word", lee);
  await chat.messages.pin(room, reply.message_id);
  const shown = (await eventsAfter(after)).filter(({ type }) => type === "message.created");
  expect(shown[1]?.data).toMatchObject({ message: { reply_to: parent, mentions: [lee] } });
  await chat.messages.delete(room, reply.message_id);
  await chat.messages.delete(room, parent);
  const events = await eventsAfter(after);
  expect(events.map(({ type }) => type)).toEqual([
    ...["message.created", "message.created", "message.updated", "reaction.added", "message.pinned"],
    ...["message.deleted", "message.deleted"],
  ]);
  expect(JSON.stringify(events)).not.toMatch(/rivate|mentions|reply_to/);
});

test("an erased user leaves no reply, mention and reaction in messages and events", async () => {
  const { room, kim, lee, send } = await createRoom();
  const after = await latest();
  const question = await send("Question", { mentions: [lee] });
  const reply = await send("Private answer", { reply_to: question.message_id, mentions: [kim] }, lee);
  await chat.messages.pin(room, reply.message_id);
  await chat.messages.reactions.add(room, question.message_id, "private_word", lee);
  await chat.privacy.erase({ user_id: lee, messages: "erase" });
  await finishErasures(server.db);
  const { mentions: _, ...rest } = question;
  expect(await chat.messages.list(room).toArray()).toMatchObject([rest]);
  const found = await chat.messages.get(room, question.message_id);
  for (const name of ["mentions", "reply_count", "reactions"]) expect(found).not.toHaveProperty(name);
  expect(await chat.messages.replies(room, question.message_id).toArray()).toEqual([]);
  expect(await chat.channels.pins(room).toArray()).toEqual([]);
  const events = await eventsAfter(after);
  expect(events.filter(({ type }) => type === "message.created")).toHaveLength(2);
  expect(JSON.stringify(events)).not.toMatch(/rivate|mentions|reply_to/);
});

test("a rejected reply or mention stores nothing, also when other messages are sent with it in one batch", async () => {
  const { room, lee, send } = await createRoom();
  await chat.users.create({ user_id: `out_${round}`, name: "Out" });
  const results = await Promise.allSettled([
    ...Array.from({ length: 5 }, (_, index) => send(`plain ${index}`)),
    send("no parent", { reply_to: "1-1" }),
    send("no member", { mentions: [lee, `out_${round}`] }),
    ...Array.from({ length: 5 }, (_, index) => send(`mention ${index}`, { mentions: [lee] })),
  ]);
  const codes = results.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []));
  expect(codes).toEqual(["message_not_found", "member_not_found"]);
  const stored = await chat.messages.list(room).toArray();
  expect(stored).toHaveLength(10);
  expect(stored.filter(({ mentions }) => mentions !== undefined)).toHaveLength(5);
  expect((await chat.channels.get(room)).total_message_count).toBe(10);
});
