import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { collect } from "../support/collect";
import { openLiveStream } from "../support/live-stream";
import { createToken } from "../support/replay";
import { startServer } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";

const server = await startServer();
afterAll(() => server.close());
const chat = chatWith(server);

let rooms = 0;
/** Kim and Lee in a channel, with further participants. */
async function createRoom(...others: string[]) {
  rooms += 1;
  const [room, kim, lee] = [`room_${rooms}`, `kim_${rooms}0`, `lee_${rooms}0`];
  for (const user_id of [kim, lee, ...others])
    await chat.users.create({ user_id, name: "Kim" }).catch(() => undefined);
  await chat.channels.create({ channel_id: room, name: "Room", members: [kim, lee, ...others] });
  const say = (user_id: string, more: object = {}) =>
    call(server.url, "POST", `/v1/group/channels/${room}/messages`, {
      body: { user_id, type: "text", content: "Hi", ...more },
    });
  return { room, kim, lee, say, path: `/v1/group/channels/${room}` };
}

const codeOf = ({ status, body }: { status: number; body: { code?: string } | undefined }) =>
  body?.code ?? status;

test("in a one-to-one channel, what both would add or change is rejected, and what takes away is not", async () => {
  const { room, kim, lee, path, say } = await createRoom();
  const send = (method: string, rest: string, body?: unknown, key?: string) =>
    call(server.url, method, `${path}${rest}`, { ...(key && { key }), ...(body !== undefined && { body }) });
  const own = (await say(kim)).body.message_id;
  const others = (await say(lee)).body.message_id;
  const written = (await say(lee, { streaming: true, content: "" })).body.message_id;
  const begun = (await say(lee, { streaming: true, content: "Begun" })).body.message_id;
  const system = (await send("POST", "/messages", { type: "system", content: "Hello" })).body.message_id;
  await send("PUT", `/messages/${own}/reactions/old/${lee}`);
  await chat.users.blocks.add(kim, lee);
  const [ofKim, ofLee] = [await createToken(server.url, kim), await createToken(server.url, lee)];

  const attempts = (user: string, message: string, key?: string) => [
    say(user),
    send("PUT", `/messages/${message}`, { content: "Edited" }, key),
    send("PUT", `/messages/${message}`, { meta: { seen: "yes" } }, key),
    send("PUT", `/messages/${others}/reactions/new/${user}`, undefined, key),
    send("POST", "/signals", { user_id: user, type: "typing" }, key),
    call(server.url, "POST", "/v1/files", {
      ...(key && { key }),
      body: { channel_id: room, user_id: user, name: "a.png", type: "image/png", size: 1 },
    }),
  ];
  for (const replies of [
    await Promise.all(attempts(kim, own)),
    await Promise.all(attempts(lee, others)),
    await Promise.all(attempts(kim, own, ofKim)),
    await Promise.all(attempts(lee, others, ofLee)),
  ]) {
    expect(replies.map(codeOf)).toEqual(replies.map(() => "user_blocked"));
    // Neither learns who has blocked whom.
    expect(new Set(replies.map(({ body }) => body.detail)).size).toBe(1);
  }
  for (const key of [undefined, ofLee]) {
    expect(codeOf(await send("POST", `/messages/${written}/append`, { index: 0, content: "x" }, key))).toBe(
      "user_blocked",
    );
    for (const change of [{ content: "New" }, { parts: [{ type: "card" }] }, { meta: { a: "b" } }])
      expect(
        codeOf(await send("PUT", `/messages/${written}/finish`, { state: "done", ...change }, key)),
      ).toBe("user_blocked");
  }
  expect(
    await chat.messages.sendMany({ channel_ids: [room], user_id: kim, type: "text", content: "All" }),
  ).toEqual({ results: [{ channel_id: room, code: "user_blocked" }] });

  const accepted = [
    await send("POST", "/messages", { type: "system", content: "Blocked" }),
    await send("PUT", `/messages/${system}`, { content: "Edited" }),
    await send("POST", "/signals", { type: "agent.thinking" }),
    await send("GET", "/messages", undefined, ofLee),
    await send("PUT", `/members/${lee}/read`, undefined, ofLee),
    await send("DELETE", `/messages/${own}/reactions/old/${lee}`, undefined, ofLee),
    await send("PUT", `/messages/${written}/finish`, { state: "done" }, ofLee),
    await send("PUT", `/messages/${begun}/finish`, { state: "cancelled" }, ofKim),
    await send("DELETE", `/messages/${own}`, undefined, ofKim),
    await send("PUT", "/leave", undefined, ofLee),
  ];
  expect(accepted.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200, 200, 200, 200, 200]);
});

test("a block ends with `remove`, with the deletion of either user, and for a channel that more people have joined", async () => {
  const { room, kim, lee, say } = await createRoom();
  const attempt = async () => codeOf(await say(lee));
  await chat.users.blocks.add(kim, lee);
  await chat.users.blocks.add(lee, kim);
  expect(await attempt()).toBe("user_blocked");
  await chat.users.blocks.remove(kim, lee);
  expect(await attempt()).toBe("user_blocked");
  await chat.users.blocks.remove(lee, kim);
  expect(await attempt()).toBe(201);

  await chat.users.blocks.add(kim, lee);
  await chat.users.delete(kim);
  while (await sweepDeletedUsers(server.db));
  expect(await attempt()).toBe(201);
  await chat.users.create({ user_id: kim, name: "Another" });
  expect(await collect(chat.users.blocks.list(kim))).toEqual([]);
  await chat.channels.members.join(room, kim);
  await chat.users.blocks.add(kim, lee);
  // Two others were in it before.
  expect(await attempt()).toBe(201);
});

test("a channel in which only the two were, and one has left and come back, stays one-to-one", async () => {
  const { room, kim, lee, say } = await createRoom();
  await chat.users.blocks.add(kim, lee);
  await chat.channels.members.leave(room, kim);
  expect(codeOf(await say(lee))).toBe("user_blocked");
  await chat.channels.members.join(room, kim);
  expect(codeOf(await say(lee))).toBe("user_blocked");
});

test("in other channels, messages and mentions of a blocked user do not count, old ones too, until the block ends", async () => {
  const { room, kim, lee, say } = await createRoom("park_00");
  const count = async () => {
    const items = await collect(chat.users.channels(kim));
    const total = await chat.users.unread(kim);
    const member = await chat.channels.members.get(room, kim);
    return [items[0]?.unread_count, items[0]?.mention_count, total.unread_count, member.unread_count];
  };
  for (const user of [lee, lee, "park_00"]) expect((await say(user, { mentions: [kim] })).status).toBe(201);
  expect(await count()).toEqual([3, 3, 3, 3]);
  await chat.users.blocks.add(kim, lee);
  expect(await count()).toEqual([1, 1, 1, 1]);
  expect((await say(lee, { mentions: [kim] })).status).toBe(201);
  expect(await count()).toEqual([1, 1, 1, 1]);
  const messages = await collect(chat.messages.list(room));
  expect(messages).toHaveLength(4);
  const marked = await chat.channels.members.markRead(room, kim, messages[2]?.message_id);
  expect(marked.unread_count).toBe(1);
  const listUnread = () => collect(chat.users.channels(kim, { unread: true }));
  expect(await listUnread()).toHaveLength(1);
  await chat.channels.members.markRead(room, kim);
  await say(lee);
  expect(await listUnread()).toEqual([]);
  await chat.users.blocks.remove(kim, lee);
  expect(await count()).toEqual([1, 0, 1, 1]);
});

test("signals and appends of a blocked user do not reach the streams of the one who blocked", async () => {
  const { room, kim, lee, say } = await createRoom("park_00");
  const streams = await Promise.all(
    [kim, "park_00"].map(async (user) =>
      openLiveStream(server.url, "live=true&after=latest", undefined, await createToken(server.url, user)),
    ),
  );
  const [ofKim, ofPark] = streams;
  await chat.users.blocks.add(kim, lee);
  const written = (await say(lee, { streaming: true, content: "" })).body.message_id;
  const signal = (user_id: string | undefined, type: string) =>
    chat.signals.send(room, { ...(user_id && { user_id }), type });
  await signal(lee, "blocked");
  await chat.messages.append(room, written, { index: 0, content: "Hidden" });
  await signal("park_00", "typing");
  await signal(undefined, "system");
  const typesOf = (stream: typeof ofKim) =>
    stream?.events.flatMap(({ event }) =>
      event.type === "signal" ? [event.data.type] : event.type === "message.appended" ? [event.type] : [],
    );
  await expect
    .poll(() => typesOf(ofPark)?.toSorted())
    .toEqual(["blocked", "message.appended", "system", "typing"]);
  await expect.poll(() => typesOf(ofKim)?.toSorted()).toEqual(["system", "typing"]);
  for (const stream of streams) stream.close();
  await Promise.all(streams.map(({ ended }) => ended));
});

test("who is blocked gets no event of it and does not find it in its data; the log names an own change from `all` on", async () => {
  const { kim, lee } = await createRoom();
  const after = (await chat.events.list({ after: "latest" })).next;
  await chat.users.blocks.add(kim, lee);
  await chat.users.blocks.add(kim, lee);
  await chat.users.blocks.remove(kim, lee);
  await chat.users.blocks.remove(kim, lee);
  const eventsOf = async (key?: string) =>
    (await call(server.url, "GET", `/v1/events?after=${after}`, key ? { key } : {})).body.events.map(
      ({ type, user_id, data }: { type: string; user_id: string; data: object }) => ({ type, user_id, data }),
    );
  const event = (type: string) => ({ type, user_id: kim, data: { user_id: kim, blocked_user_id: lee } });
  const both = [event("block.added"), event("block.removed")];
  expect(await eventsOf()).toEqual(both);
  expect(await eventsOf(await createToken(server.url, kim))).toEqual(both);
  expect(await eventsOf(await createToken(server.url, lee))).toEqual([]);
  await chat.users.blocks.add(kim, lee);
  const exported = async (user: string) =>
    (await call(server.url, "GET", `/v1/privacy/users/${user}`)).body.blocks;
  expect(await exported(kim)).toMatchObject([{ user_id: lee }]);
  expect(await exported(lee)).toEqual([]);
});
