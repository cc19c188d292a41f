import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import type { Statement } from "../../src/db/db";
import { addOnlineUsers, createLease, removeOnlineUsers } from "../../src/modules/presence/online-store";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { finishErasures } from "../support/erasures";
import { openLiveStream } from "../support/live-stream";
import { goOnline, isOnline, untilOnline, watch } from "../support/presence";
import { createToken } from "../support/replay";
import { readMetrics, startServer, startServerOn } from "../support/server";
import { sweepDeletedUsers } from "../support/sweep";

const server = await startServer({
  settings: { MADANG_PRESENCE: "last_seen", MADANG_METRICS_PORT: "0" },
});
const others = [
  await startServerOn(server.databaseUrl, { settings: { MADANG_PRESENCE: "last_seen" } }),
  await startServerOn(server.databaseUrl, { settings: { MADANG_PRESENCE: "last_seen" } }),
] as const;
afterAll(async () => {
  for (const each of [...others, server]) await each.close();
});
const chat = chatWith(server);

let rooms = 0;
/** Kim and Lee in a channel. */
async function createRoom() {
  rooms += 1;
  const [room, kim, lee] = [`room_${rooms}`, `kim_${rooms}0`, `lee_${rooms}0`];
  for (const user_id of [kim, lee]) await chat.users.create({ user_id, name: "Kim" });
  await chat.channels.create({ channel_id: room, name: "Room", members: [kim, lee] });
  return { room, kim, lee };
}

/** Long enough for what must not arrive. */
const settle = () => sleep(500);

test("a stream gets at once who is online, on whatever process, and then each change", async () => {
  const { kim, lee } = await createRoom();
  const [second, third] = others;
  const ofKim = await goOnline(second, kim);
  await untilOnline(third, kim);
  const watching = await watch(third, lee, [kim, lee, "nobody_9"]);
  await expect.poll(() => watching.shown).toEqual([`${kim} online`]);
  const ofLee = await goOnline(server, lee);
  await expect.poll(() => watching.shown).toEqual([`${kim} online`, `${lee} online`]);
  // It gets both by one write.
  const later = await watch(third, lee, [kim, lee]);
  await expect.poll(() => later.shown).toEqual([`${kim} online`, `${lee} online`]);
  for (const stream of [ofKim, ofLee, watching, later]) stream.close();
});

test("only waiting with a token counts, and not if the client is invisible", async () => {
  const { kim, lee } = await createRoom();
  const token = await createToken(server.url, kim);
  const { key } = await chat.keys.create({ user_id: kim });
  const streams = [
    await goOnline(server, kim, "&presence=invisible"),
    await openLiveStream(server.url, "after=latest", undefined, key),
  ];
  await call(server.url, "GET", "/v1/events?after=latest", { key: token });
  await call(server.url, "GET", "/v1/events?after=latest&wait=1&presence=invisible", { key: token });
  await settle();
  expect(await isOnline(server, kim)).toBe(false);
  const waiting = call(server.url, "GET", "/v1/events?after=latest&wait=2", { key: token });
  await untilOnline(server, kim);
  await waiting;
  expect(await isOnline(server, lee)).toBe(false);
  for (const stream of streams) stream.close();
});

test("a stream follows who may see whom: blocks in both directions, leaving and joining", async () => {
  const { room, kim, lee } = await createRoom();
  const online = [await goOnline(server, kim), await goOnline(server, lee)];
  const toKim = await watch(others[0], kim, [lee]);
  const toLee = await watch(others[1], lee, [kim]);
  await expect.poll(() => [toKim.shown, toLee.shown]).toEqual([[`${lee} online`], [`${kim} online`]]);
  const expectBoth = async (status: string) => {
    await expect
      .poll(() => [toKim.shown.at(-1), toLee.shown.at(-1)])
      .toEqual([`${lee} ${status}`, `${kim} ${status}`]);
  };
  await chat.users.blocks.add(kim, lee);
  await expectBoth("offline");
  await chat.users.blocks.remove(kim, lee);
  await expectBoth("online");
  await chat.channels.members.leave(room, lee);
  await expectBoth("offline");
  await chat.channels.members.join(room, lee);
  await expectBoth("online");
  await chat.channels.delete(room);
  await expectBoth("offline");
  expect(toKim.shown).toHaveLength(6);
  for (const stream of [...online, toKim, toLee]) stream.close();
});

test("a blocked person is not shown who comes", async () => {
  const { kim, lee } = await createRoom();
  await chat.users.blocks.add(kim, lee);
  const [toKim, toLee] = [await watch(server, kim, [lee]), await watch(others[0], lee, [kim])];
  const online = [await goOnline(server, kim), await goOnline(server, lee)];
  await untilOnline(server, lee);
  await settle();
  expect([toKim.shown, toLee.shown]).toEqual([[], []]);
  for (const stream of [...online, toKim, toLee]) stream.close();
});

test("a stream with a key sees everybody; types select presence as well", async () => {
  const { kim } = await createRoom();
  const query = `after=latest&live=true&presence_of=${kim}`;
  const all = await openLiveStream(server.url, query);
  const selected = await openLiveStream(server.url, `${query}&types=presence`);
  const without = await openLiveStream(server.url, `${query}&types=signal`);
  const ofKim = await goOnline(others[0], kim);
  for (const { events } of [all, selected])
    await expect
      .poll(() => events.map(({ event, id }) => [event, id]))
      .toEqual([[{ type: "presence", data: { user_id: kim, status: "online" } }, undefined]]);
  await settle();
  expect(without.events).toEqual([]);
  for (const stream of [all, selected, without, ofKim]) stream.close();
});

test("presence is in no feed and no webhook, and nothing is written for who stays", async () => {
  const { kim, lee } = await createRoom();
  const { next } = await chat.events.list({ after: "latest" });
  const ofKim = await goOnline(server, kim);
  await untilOnline(server, kim);
  await watch(server, lee, [kim]).then(({ close }) => close());
  ofKim.close();
  const again = await goOnline(server, kim);
  await settle();
  expect((await chat.events.list({ after: next })).events).toEqual([]);
  const [counted] = await server.db.query(countRows, [kim]);
  expect(counted).toEqual({ count: 1 });
  again.close();
});

test("who was online at a process that was killed is offline when its lease has ended", async () => {
  const { kim, lee } = await createRoom();
  await server.db.query(enterKilled, [kim, 2_000]);
  const watching = await watch(others[0], lee, [kim]);
  await expect.poll(() => watching.shown).toEqual([`${kim} online`]);
  await expect.poll(() => watching.shown).toEqual([`${kim} online`, `${kim} offline`]);
  const { presence } = await chat.presence.list({ user_ids: [kim] });
  expect(Number(presence[0]?.last_seen_at) % 60_000).toBe(0);
  expect(Date.now() - Number(presence[0]?.last_seen_at)).toBeLessThan(120_000);
  watching.close();
});

test("a process whose lease was lost enters its users again", async () => {
  const { kim } = await createRoom();
  const ofKim = await goOnline(server, kim);
  await untilOnline(server, kim);
  // As a crash of PostgreSQL, which empties unlogged tables.
  await server.db.query(emptyLeases);
  await server.db.query(emptyUsers);
  expect(await isOnline(server, kim)).toBe(false);
  expect(await untilOnline(server, kim)).toBeLessThan(20_000);
  ofKim.close();
});

test("when a user was last online is in its export, and goes with the user", async () => {
  const { kim, lee } = await createRoom();
  for (const user of [kim, lee]) await server.db.query(storeLastSeen, [user, 1_700_000_040_000]);
  const exported = async (user: string) => (await chat.privacy.export(user).firstPage()).user;
  expect(await exported(kim)).toMatchObject({ last_seen_at: 1_700_000_040_000 });
  await chat.privacy.erase({ user_id: kim, messages: "keep" });
  await finishErasures(server.db);
  await chat.users.delete(lee);
  while (await sweepDeletedUsers(server.db));
  expect(await server.db.query(listLastSeen, [[kim, lee]])).toEqual([]);
});

test("of a user who is deleted while it leaves, nothing stays", async () => {
  const { kim } = await createRoom();
  const [found] = await server.db.query(findUser, [kim]);
  const pks = [Number(found?.pk)];
  await createLease(server.db, "leaving");
  await addOnlineUsers(server.db, "leaving", pks);
  // As a deletion, which has not been committed when the user leaves.
  const leaving = await server.db.transaction(async (tx) => {
    await tx.query(lockUser, [kim]);
    const leaving = removeOnlineUsers(server.db, "leaving", pks, true);
    await settle();
    await tx.query(deleteUser, [kim]);
    return { leaving };
  });
  await leaving.leaving;
  expect(await server.db.query(listLastSeen, [[kim]])).toEqual([]);
});

test("the metrics count the users of a process", async () => {
  const { kim } = await createRoom();
  const ofKim = await goOnline(server, kim);
  await expect.poll(() => readMetrics(server)).toMatch(/^madang_online_users [1-9]/m);
  ofKim.close();
});

test("without presence, a stream that wants it is rejected, and everything else is as before", async () => {
  const { kim } = await createRoom();
  const off = await startServerOn(server.databaseUrl, { settings: { MADANG_PRESENCE: "off" } });
  const stream = await goOnline(off, kim, "&presence=invisible");
  const wanted = await call(off.url, "GET", `/v1/events/stream?live=true&presence_of=${kim}`);
  expect(wanted).toMatchObject({ status: 409, body: { code: "presence_disabled" } });
  const visible = await goOnline(off, kim);
  await settle();
  expect(await isOnline(server, kim)).toBe(false);
  for (const each of [stream, visible]) each.close();
  await off.close();
});

const kimsPk = "(SELECT pk FROM users WHERE user_id = $1)";

const countRows: Statement<{ count: number }> = {
  name: "test.count-online",
  text: `SELECT count(*) FROM online_users WHERE user_pk = ${kimsPk}`,
};

const enterKilled: Statement<unknown> = {
  name: "test.enter-killed",
  text: `WITH lease AS (
      INSERT INTO presence_leases (process_id, expires_at)
      VALUES ('killed', (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $2))
    INSERT INTO online_users (user_pk, process_id) SELECT ${kimsPk}, 'killed'`,
};

const emptyLeases: Statement<unknown> = { name: "test.empty-leases", text: "DELETE FROM presence_leases" };
const emptyUsers: Statement<unknown> = { name: "test.empty-online", text: "DELETE FROM online_users" };

const findUser: Statement<{ pk: number }> = {
  name: "test.find-user",
  text: `SELECT ${kimsPk} AS pk`,
};
const lockUser: Statement<unknown> = {
  name: "test.lock-user",
  text: "SELECT FROM users WHERE user_id = $1 FOR UPDATE",
};
const deleteUser: Statement<unknown> = {
  name: "test.delete-user",
  text: "UPDATE users SET deleted_at = updated_at + 1 WHERE user_id = $1",
};

const storeLastSeen: Statement<unknown> = {
  name: "test.store-last-seen",
  text: `INSERT INTO last_seen_times (user_pk, last_seen_at) VALUES (${kimsPk}, $2)`,
};

const listLastSeen: Statement<unknown> = {
  name: "test.list-last-seen",
  text: "SELECT FROM last_seen_times JOIN users ON pk = user_pk WHERE user_id = ANY ($1)",
};
