import { limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/db";
import { call, type Reply } from "../support/call";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { sweepDeletedChannels } from "../support/sweep";
import { type Rival, startRival } from "./rival";

const clients = 64;
const toggles = scale(1_500, 150_000);
const togglesPerRound = scale(750, 10_000);
const moderationRaces = scale(12, 6_400);
const moderationRacesAtOnce = 8;

let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
  db = await openDatabase(database.url);
});
afterAll(async () => {
  await db.close();
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

/** If the database or the server was too busy to respond in time, the request is sent again, as a client does. */
async function request(index: number, method: string, path: string, body?: unknown): Promise<Reply> {
  const { url } = servers[index % 2 === 0 ? 0 : 1];
  const key = method === "POST" && { idempotencyKey: crypto.randomUUID() };
  for (;;) {
    const reply = await call(url, method, `/v1${path}`, { ...(body !== undefined && { body }), ...key });
    if (reply.status !== 503) return reply;
  }
}

const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(Math.random() * list.length)] as Item;

async function must(method: string, path: string, body?: unknown) {
  const reply = await request(0, method, path, body);
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

const send = async (room: string, user_id: string): Promise<string> =>
  (await must("POST", `/group/channels/${room}/messages`, { user_id, type: "text", content: "Hi" }))
    .message_id;

/** The reactions to a message, of which some may remain after its deletion. */
const countReactions = async (room: string, messageId: string) => {
  const text = "SELECT count(*) FROM reactions WHERE message_pk = $1";
  const statement = { name: "test.count-reactions", text };
  const [row] = await db.channel(room).query<{ count: number }>(statement, [messageId.split("-")[1]]);
  return row?.count;
};

/** The rows of a channel's messages, as their counts should show them. */
const rowsOf = (room: string) =>
  db.channel(room).query<{ id: string; shown: [string, number][]; stored: Record<string, number> }>({
    // A prepared statement has one text for its name.
    name: `test.reactions-of-${room}`,
    text: `SELECT m.created_at || '-' || m.pk AS id, COALESCE(m.reactions, '[]') AS shown, COALESCE((
        SELECT jsonb_object_agg(reaction, users) FROM (
          SELECT reaction, count(*) AS users FROM reactions r
          WHERE r.channel_pk = m.channel_pk AND r.message_created_at = m.created_at AND r.message_pk = m.pk
          GROUP BY reaction) AS each), '{}') AS stored
      FROM messages m JOIN channels c ON c.pk = m.channel_pk WHERE c.channel_id = '${room}'`,
  });

interface Counted {
  readonly reaction: string;
  readonly count: number;
}

test("counts equal rows, 20 different reactions at most, one of each for each user, and nothing of deleted messages", async () => {
  const users = Array.from({ length: clients }, (_, index) => `react_${index}`);
  for (const user_id of users) await must("POST", "/users", { user_id, name: "User" });
  // More than a message may have.
  const reactions = Array.from({ length: limits.reactionsPerMessage + 4 }, (_, index) => `r${index}`);
  const found = { rejectedAtLimit: 0, acknowledged: 0, gone: 0 };
  const { next } = await must("GET", "/events?after=latest");
  for (let round = 0; round * togglesPerRound < toggles; round++) {
    const room = `toggles_${round}`;
    await must("POST", "/group/channels", { channel_id: room, name: "Room", members: users });
    const messages = await Promise.all(Array.from({ length: 4 }, () => send(room, "react_0")));
    const [deleted = ""] = messages;
    let [left, deletedAt] = [togglesPerRound, Number.POSITIVE_INFINITY];
    /** What each client knows that it has: its own toggles come one after another. */
    const expected = new Set<string>();
    const toggle = async (user: string, index: number) => {
      while (left-- > 0) {
        if (left === Math.floor(togglesPerRound / 2)) {
          await must("DELETE", `/group/channels/${room}/messages/${deleted}`);
          deletedAt = performance.now();
        }
        const [message, reaction] = [pick(messages), pick(reactions)];
        const own = `${message} ${reaction} ${user}`;
        const isAdded = Math.random() < 0.6;
        const startedAt = performance.now();
        const path = `/group/channels/${room}/messages/${message}/reactions/${reaction}/${user}`;
        const { status, body } = await request(index + left, isAdded ? "PUT" : "DELETE", path);
        if (status === 404) {
          expect([message, body.code]).toEqual([deleted, "message_not_found"]);
          found.gone += 1;
          continue;
        }
        expect(message !== deleted || startedAt < deletedAt).toBe(true);
        if (status === 409) {
          expect([isAdded, body.code, expected.has(own)]).toEqual([true, "reaction_limit_exceeded", false]);
          found.rejectedAtLimit += 1;
          continue;
        }
        expect(status).toBe(200);
        found.acknowledged += 1;
        if (isAdded) expected.add(own);
        else expected.delete(own);
        const counts: readonly Counted[] = body.reactions;
        expect(counts.length).toBeLessThanOrEqual(limits.reactionsPerMessage);
        expect(new Set(counts.map((each) => each.reaction)).size).toBe(counts.length);
        // The message can have been deleted after the reaction was stored and before the counts were read.
        if (isAdded && (message !== deleted || counts.length > 0))
          expect(counts.find((each) => each.reaction === reaction)?.count).toBeGreaterThan(0);
      }
    };
    await Promise.all(users.map(toggle));
    for (const own of expected) if (own.startsWith(deleted)) expected.delete(own);

    const rows = await rowsOf(room);
    expect(rows.map(({ id }) => id).sort()).toEqual(messages.slice(1).sort());
    const shown = rows.flatMap(({ id, shown, stored }) => {
      expect(Object.fromEntries(shown)).toEqual(stored);
      return shown.map(([reaction, users]) => [`${id} ${reaction}`, users] as const);
    });
    const ofClients = Map.groupBy(expected, (own) => own.split(" ").slice(0, 2).join(" "));
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries([...ofClients].map(([key, owns]) => [key, owns.length])),
    );
    expect(await countReactions(room, deleted)).toBe(0);
  }
  await expectAlternatingEvents(next);
  await report({
    fault: "toggles of reactions, with a deletion of the message",
    load: `${clients} clients, 2 processes`,
    sent: toggles,
    acknowledged: found.acknowledged,
  });
  expect(found.rejectedAtLimit).toBeGreaterThan(0);
  expect(found.gone).toBeGreaterThan(0);
});

/** A user adds a reaction, removes it, adds it: an event says so for each change, in this order, and none after the deletion. */
async function expectAlternatingEvents(after: string): Promise<void> {
  const last = new Map<string, string>();
  const deleted = new Set<string>();
  for (let next = after; ; ) {
    const page = await must("GET", `/events?limit=500&after=${next}`);
    if (page.events.length === 0) return;
    next = page.next;
    for (const { type, channel_id, data } of page.events) {
      if (type === "message.deleted") deleted.add(data.message_id);
      if (!type.startsWith("reaction.")) continue;
      expect(deleted.has(data.message_id), `${channel_id}: an event after the deletion`).toBe(false);
      // The events of a deleted message do not say which reaction it was.
      if (data.reaction === undefined) continue;
      const key = `${data.message_id} ${data.reaction} ${data.user_id}`;
      expect([key, last.get(key) ?? "reaction.removed"]).not.toEqual([key, type]);
      last.set(key, type);
    }
  }
}

test("of reactions that race with the deletion of their channel, none is left", async () => {
  const users = ["gone_0", "gone_1"];
  for (const user_id of users) await must("POST", "/users", { user_id, name: "User" });
  for (let round = 0; round < scale(3, 50); round++) {
    const room = `gone_${round}`;
    await must("POST", "/group/channels", {
      channel_id: room,
      name: "Room",
      members: users,
    });
    const message = await send(room, "gone_0");
    const path = `/group/channels/${room}/messages/${message}/reactions`;
    const replies = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        index === 12
          ? request(0, "DELETE", `/group/channels/${room}`)
          : request(index, "PUT", `${path}/r${index % 20}/gone_${index % 2}`),
      ),
    );
    const codes = replies.map(({ status, body }) => (status === 200 ? 200 : body.code));
    for (const code of codes) expect([200, "channel_not_found"]).toContain(code);
    // A server process may be sweeping the channel, which this call then skips.
    while (await sweepDeletedChannels(db));
    await expect.poll(() => countReactions(room, message)).toBe(0);
  }
});

/** From the start of the change to its response: when it takes effect is between. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Restriction {
  readonly code: string;
  readonly begin: readonly [method: string, path: string, body?: unknown];
  readonly end: readonly [method: string, path: string, body?: unknown];
  /** What makes reacting possible again, if its end alone does not. Until then there is another reason. */
  readonly again?: readonly [method: string, path: string, body?: unknown];
}

const restrictionsOf = (room: string, user: string): readonly Restriction[] => {
  const path = `/group/channels/${room}`;
  return [
    {
      code: "member_muted",
      begin: ["PUT", `${path}/members/${user}/mute`],
      end: ["DELETE", `${path}/members/${user}/mute`],
    },
    {
      code: "user_banned",
      begin: ["PUT", `${path}/bans/${user}`],
      end: ["DELETE", `${path}/bans/${user}`],
      again: ["PUT", `${path}/join`, { member: user }],
    },
    {
      code: "user_suspended",
      begin: ["PUT", `/users/${user}/suspension`],
      end: ["DELETE", `/users/${user}/suspension`],
    },
    {
      code: "channel_frozen",
      begin: ["PUT", `${path}/freeze`, { freeze: true }],
      end: ["PUT", `${path}/freeze`, { freeze: false }],
    },
  ];
};

async function timed<Result>(work: () => Promise<Result>): Promise<Span & { readonly result: Result }> {
  const from = performance.now();
  const result = await work();
  return { from, to: performance.now(), result };
}

/** A restriction begins and ends while its user reacts. Returns the number of requests. */
async function raceRestriction(round: number): Promise<number> {
  const [room, user] = [`restrict_${round}`, `restricted_${round}`];
  await must("POST", "/users", { user_id: user, name: "User" });
  await must("POST", "/group/channels", { channel_id: room, name: "Room", members: [user] });
  const message = await send(room, user);
  const { code, begin, end, again } = restrictionsOf(room, user)[round % 4] as Restriction;
  let isOver = false;
  const reacting = Array.from({ length: 4 }, async (_, client) => {
    const tries: (Span & { result: Reply })[] = [];
    for (let index = 0; !isOver || index === 0; index++) {
      const path = `/group/channels/${room}/messages/${message}/reactions/r${client}${index % 2}/${user}`;
      tries.push(await timed(() => request(client + index, "PUT", path)));
      // A removal is never rejected.
      expect((await request(client, "DELETE", path)).status).toBe(200);
    }
    return tries;
  });
  const change = (step: Restriction["begin"]) => timed(() => must(...step));
  const began = await change(begin);
  const ended = await change(end);
  const restored = again === undefined ? ended : await change(again);
  isOver = true;
  const tries = (await Promise.all(reacting)).flat();
  for (const { from, to, result } of tries) {
    if (result.status === 200) {
      // It took effect before the restriction or after its end.
      expect(from < began.to || to > restored.from, `accepted while ${code}`).toBe(true);
      continue;
    }
    const reason = result.body.code;
    expect([code, ...(again === undefined ? [] : ["not_a_participant"])]).toContain(reason);
    const [truthFrom, truthTo] = reason === code ? [began.from, ended.to] : [ended.from, restored.to];
    expect(to > truthFrom && from < truthTo, `${reason}, which was not true`).toBe(true);
  }
  return 2 * tries.length + 3;
}

test("no reaction is accepted after the response to a mute, ban, suspension or freeze, and none is rejected for a reason that was never true", async () => {
  const { next } = await must("GET", "/events?after=latest");
  let [round, requests] = [0, 0];
  const racing = Array.from({ length: moderationRacesAtOnce }, async () => {
    while (round < moderationRaces) requests += await raceRestriction(round++);
  });
  await Promise.all(racing);
  await expectNoReactionsWhileMuted(next);
  await report({
    fault: "reactions against mutes, bans, suspensions and freezes",
    load: `${4 * moderationRacesAtOnce} clients, 2 processes, ${moderationRaces} races`,
    sent: requests,
    acknowledged: requests,
  });
});

/** In the feed, no user reacts between its mute or ban and the end of it. */
async function expectNoReactionsWhileMuted(after: string): Promise<void> {
  const restricted = new Set<string>();
  for (let next = after; ; ) {
    const page = await must("GET", `/events?limit=500&after=${next}`);
    if (page.events.length === 0) return;
    next = page.next;
    for (const { type, channel_id, user_id } of page.events) {
      const key = `${channel_id} ${user_id}`;
      if (type === "member.muted" || type === "member.banned") restricted.add(key);
      if (type === "member.unmuted" || type === "member.unbanned") restricted.delete(key);
      if (type === "reaction.added") expect([key, restricted.has(key)]).toEqual([key, false]);
    }
  }
}
