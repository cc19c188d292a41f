import { afterAll, expect, test, vi } from "vitest";
import { sweepEvidence } from "../../src/modules/reports/store";
import { call } from "../support/call";
import { startServer } from "../support/server";
import { sweepDeletedChannels, sweepDeletedUsers } from "../support/sweep";
import { untilBlocking, untilWaitingNext } from "../support/until-blocking";

const hour = 3_600_000;
/** Its clock is wrong: only that of the database counts. */
let round = 0;
const server = await startServer({ now: () => 1_000 });
afterAll(() => server.close());

const request = (method: string, path: string, body?: unknown) =>
  call(server.url, method, `/v1${path}`, body === undefined ? {} : { body });

/** A channel of two participants; the first is also a manager. */
async function createRoom() {
  const [room, kim, lee] = ["room", "kim", "lee"].map((name) => `${name}_${round}`) as [
    string,
    string,
    string,
  ];
  round += 1;
  for (const user_id of [kim, lee]) await request("POST", "/users", { user_id, name: "User" });
  await request("POST", "/group/channels", { channel_id: room, name: "Room", members: [kim, lee] });
  await request("POST", `/group/channels/${room}/managers`, { manager: kim });
  const path = `/group/channels/${room}`;
  const send = async (user_id: string) => {
    const { status, body } = await request("POST", `${path}/messages`, {
      user_id,
      type: "text",
      content: "Hi",
    });
    return status === 201 ? status : body.code;
  };
  return { room, kim, lee, path, send };
}

const latest = async () => (await request("GET", "/events?after=latest")).body.next;
async function eventsAfter(cursor: string) {
  const { body } = await request("GET", `/events?after=${cursor}`);
  return body.events.map(({ type, data }: { type: string; data: object }) => [type, data]);
}

/** The ends of mutes, bans and suspensions come closer by this much, as if the clock of the database went ahead. */
async function advance(ms: number): Promise<void> {
  for (const part of server.db.schemas())
    for (const table of ["mutes", "bans"] as const)
      await part.query(
        {
          name: `test.advance-${table}`,
          text: `UPDATE ${table} SET until = until - $1 WHERE until > 0 RETURNING 1`,
        },
        [ms],
      );
  const text =
    "UPDATE users SET suspended_until = suspended_until - $1 WHERE suspended_until > 0 RETURNING 1";
  await server.db.query({ name: "test.advance-users", text }, [ms]);
}

const ends = [
  {
    what: "a freeze",
    code: "channel_frozen",
    method: "PUT",
    of: () => "/freeze",
    body: () => ({ freeze: true }),
  },
  { what: "a mute", code: "member_muted", method: "PUT", of: (user: string) => `/members/${user}/mute` },
  { what: "a ban", code: "user_banned", method: "PUT", of: (user: string) => `/bans/${user}` },
  {
    what: "a leave",
    code: "not_a_participant",
    method: "PUT",
    of: () => "/leave",
    body: (user: string) => ({ member: user }),
  },
];

test.each(ends)("a send and an append that wait for the channel behind $what are rejected", async (end) => {
  for (const isAppend of [false, true]) {
    const { room, lee, path } = await createRoom();
    const message = { user_id: lee, type: "text", content: "Hi" };
    const begun = await request("POST", `${path}/messages`, { ...message, streaming: true });
    const [url, body] = isAppend
      ? [`${path}/messages/${begun.body.message_id}/append`, { index: 0, content: "!" }]
      : [`${path}/messages`, message];
    const [changed, sent] = await server.db
      .channel(room)
      .transaction(async (tx) => {
        const find = (sql: string) => tx.query({ name: `test.find-${sql.length}`, text: sql });
        await tx.query(
          { name: "test.lock", text: "SELECT 1 FROM channels WHERE channel_id = $1 FOR UPDATE" },
          [room],
        );
        const change = request(end.method, `${path}${end.of(lee)}`, end.body?.(lee));
        await untilBlocking(find);
        // Its snapshot does not have the change.
        const send = request("POST", url ?? "", body);
        await untilWaitingNext(find);
        return [change, send] as const;
      })
      .then((both) => Promise.all(both));
    expect([changed.status, sent.body.code]).toEqual([200, end.code]);
  }
});

test("mutes, bans and suspensions expire by the clock of the database, and are in force again when it goes back", async () => {
  const { kim, lee, path, send } = await createRoom();
  const until = Date.now() + hour;
  await request("PUT", `${path}/members/${lee}/mute`, { until });
  expect(await send(lee)).toBe("member_muted");
  await advance(2 * hour);
  expect(await send(lee)).toBe(201);
  expect((await request("GET", `${path}/members`)).body[1]).not.toHaveProperty("muted_until");
  await advance(-2 * hour);
  expect(await send(lee)).toBe("member_muted");
  expect((await request("GET", `${path}/members`)).body[1]).toMatchObject({ muted_until: until });

  await request("PUT", `/users/${kim}/suspension`, { until });
  expect(await send(kim)).toBe("user_suspended");
  await advance(2 * hour);
  expect(await send(kim)).toBe(201);
  for (const [method, url, body] of [
    ["GET", ""],
    ["PUT", "", { name: "Kim" }],
    ["PUT", "/meta", { meta: { team: "red" } }],
    ["DELETE", "/meta/team"],
  ] as const) {
    const { status, body: user } = await request(method, `/users/${kim}${url}`, body);
    expect(status).toBe(200);
    expect(user).not.toHaveProperty("suspended_until");
  }
  await advance(-2 * hour);
  expect(await send(kim)).toBe("user_suspended");
  await request("DELETE", `/users/${kim}/suspension`);

  await request("PUT", `${path}/bans/${kim}`, { until });
  await advance(2 * hour);
  expect(await send(kim)).toBe("not_a_participant");
  expect((await request("GET", `${path}/bans`)).body).toEqual({ bans: [] });
  await advance(-2 * hour);
  expect(await send(kim)).toBe("user_banned");
  expect((await request("PUT", `${path}/join`, { member: kim })).body.code).toBe("user_banned");
  await advance(2 * hour);
  expect((await request("PUT", `${path}/join`, { member: kim })).status).toBe(200);
});

test("ending what has expired changes nothing; a later mute, ban or suspension is a new one", async () => {
  const { kim, lee, path } = await createRoom();
  const [until, later] = [Date.now() + hour, Date.now() + 2 * hour];
  const restrict = async (end: number) => {
    await request("PUT", `${path}/members/${lee}/mute`, { until: end });
    await request("PUT", `${path}/bans/${kim}`, { until: end });
    await request("PUT", `/users/${lee}/suspension`, { until: end });
  };
  await restrict(until);
  await advance(3 * hour);
  const [cursor, user] = [await latest(), (await request("GET", `/users/${lee}`)).body];
  expect((await request("DELETE", `${path}/members/${lee}/mute`)).status).toBe(200);
  expect((await request("DELETE", `${path}/bans/${kim}`)).status).toBe(200);
  expect(await request("DELETE", `/users/${lee}/suspension`)).toMatchObject({ status: 200, body: user });
  expect(await eventsAfter(cursor)).toEqual([]);

  expect((await request("PUT", `${path}/join`, { member: kim })).status).toBe(200);
  await restrict(later);
  const { events } = (await request("GET", `/events?after=${cursor}`)).body;
  expect(events.map(({ type, user_id }: { type: string; user_id: string }) => [type, user_id])).toEqual([
    ["member.joined", kim],
    ["member.muted", lee],
    ["member.left", kim],
    ["member.banned", kim],
    ["user.updated", lee],
  ]);
  expect((await request("GET", `${path}/members`)).body).toMatchObject([
    { user_id: lee, muted_until: later, suspended_until: later },
  ]);
  expect((await request("GET", `${path}/bans`)).body.bans).toMatchObject([
    { user: { user_id: kim }, until: later },
  ]);
});

test("a muted participant reads; imports, edits and deletions of its messages are affected by neither mute nor suspension", async () => {
  const { kim, lee, path } = await createRoom();
  const sent = await request("POST", `${path}/messages`, { user_id: lee, type: "text", content: "Noon?" });
  const later = await request("POST", `${path}/messages`, { user_id: kim, type: "text", content: "One?" });
  await request("PUT", `${path}/members/${lee}/mute`);
  const read = await request("PUT", `${path}/members/${lee}/read`);
  expect(read.body).toEqual({ unread_count: 0, read_message_id: later.body.message_id });
  const { readers } = (await request("GET", `${path}/messages/${later.body.message_id}/readers`)).body;
  expect(readers).toMatchObject([{ user_id: lee, muted_until: 0 }]);
  expect((await request("GET", `/users/${lee}/messages/search?q=one`)).body.messages).toHaveLength(1);
  const [inbox] = (await request("GET", `/users/${lee}/channels`)).body.channels;
  expect(inbox).toMatchObject({ unread_count: 0, last_message: { content: "One?" } });

  await request("PUT", `/users/${lee}/suspension`);
  const messages = [{ user_id: lee, type: "text", content: "Old", created_at: 1 }];
  expect((await request("POST", `/imports${path}/messages`, { messages })).body.imported).toBe(1);
  const own = `${path}/messages/${sent.body.message_id}`;
  expect((await request("PUT", own, { content: "Two?" })).status).toBe(200);
  expect((await request("DELETE", own)).status).toBe(200);
});

test("a user shows its suspension wherever it is, until it ends", async () => {
  const { kim, lee, path } = await createRoom();
  await request("POST", `${path}/managers`, { manager: lee });
  const sent = await request("POST", `${path}/messages`, { user_id: lee, type: "text", content: "Noon?" });
  const message = `${path}/messages/${sent.body.message_id}`;
  await request("PUT", `${message}/reactions/ok/${lee}`);
  const other = await request("POST", `${path}/messages`, { user_id: kim, type: "text", content: "Hi" });
  await request("PUT", `${path}/members/${lee}/read`);
  await request("PUT", `${message}/pin`);
  const until = Date.now() + hour;
  await request("PUT", `/users/${lee}/suspension`, { until });
  const cursor = await latest();
  await request("PUT", message, { meta: { a: "b" } });
  /** On a busy machine, a search ends its page before it has found anything. */
  const found = () =>
    vi.waitFor(async () => {
      const { messages } = (await request("GET", `${path}/messages/search?q=noon`)).body;
      expect(messages).toHaveLength(1);
      return messages[0].user;
    }, 30_000);
  /** The user in each place that shows it. */
  const shown = async () => {
    const get = async (end: string) => (await request("GET", end)).body;
    const [, inList] = await get(`${path}/members`);
    const [, asManager] = await get(`${path}/managers`);
    const [inbox] = (await get(`/users/${kim}/channels?members=true`)).channels;
    return {
      get: await get(`/users/${lee}`),
      byId: (await get(`/users?user_ids=${lee}`)).users[0],
      list: (await get("/users")).users.find(({ user_id }: { user_id: string }) => user_id === lee),
      member: inList,
      state: await get(`${path}/members/${lee}`),
      manager: asManager,
      sender: (await get(message)).user,
      listed: (await get(`${path}/messages`)).messages[1].user,
      found: await found(),
      pinned: (await get(`${path}/pins`)).messages[0].user,
      exported: (await get(`/exports${path}/messages`)).messages[1].user,
      reaction: (await get(`${message}/reactions`)).reactions[0].user,
      reader: (await get(`${path}/messages/${other.body.message_id}/readers`)).readers[0],
      inbox: inbox.members[1],
      event: (await get(`/events?after=${cursor}`)).events[0].data.message.user,
    };
  };
  for (const [place, user] of Object.entries(await shown()))
    expect([place, user]).toMatchObject([place, { user_id: lee, suspended_until: until }]);
  await request("DELETE", `/users/${lee}/suspension`);
  for (const [place, user] of Object.entries(await shown())) {
    expect([place, user]).toMatchObject([place, { user_id: lee }]);
    expect([place, user.suspended_until]).toEqual([place, undefined]);
  }
});

test("leaving does not end a mute, which then also holds for a manager", async () => {
  const { kim, path, send } = await createRoom();
  await request("PUT", `${path}/members/${kim}/mute`);
  await request("PUT", `${path}/leave`, { member: kim });
  expect(await send(kim)).toBe("member_muted");
  expect((await request("GET", `${path}/managers`)).body).toMatchObject([{ user_id: kim, muted_until: 0 }]);
  await request("PUT", `${path}/join`, { member: kim });
  expect(await send(kim)).toBe("member_muted");
  await request("DELETE", `${path}/members/${kim}/mute`);
  expect(await send(kim)).toBe(201);
});

test("a ban ends both roles, and the counts of the channel follow; imports are not affected", async () => {
  const { kim, path } = await createRoom();
  await request("PUT", `${path}/bans/${kim}`);
  expect((await request("GET", `${path}/members`)).body).toHaveLength(1);
  expect((await request("GET", `${path}/managers`)).body).toEqual([]);
  expect((await request("POST", `${path}/managers`, { manager: kim })).body.code).toBe("user_banned");
  const messages = [{ user_id: kim, type: "text", content: "Old", created_at: 1 }];
  expect((await request("POST", `/imports${path}/messages`, { messages })).body.imported).toBe(1);
  await request("DELETE", `${path}/bans/${kim}`);
  for (const [method, end, body] of [
    ["PUT", "join", { member: kim }],
    ["POST", "managers", { manager: kim }],
  ] as const)
    expect((await request(method, `${path}/${end}`, body)).status).toBe(200);
});

test("a ban that is in force again, because the clock went back, ends the roles when it is repeated", async () => {
  const { kim, path, send } = await createRoom();
  const ban = { until: Date.now() + hour, reason: "Advertising" };
  await request("PUT", `${path}/bans/${kim}`, ban);
  await advance(2 * hour);
  await request("PUT", `${path}/join`, { member: kim });
  await request("POST", `${path}/managers`, { manager: kim });
  await advance(-2 * hour);
  const cursor = await latest();
  expect((await request("PUT", `${path}/bans/${kim}`, ban)).status).toBe(200);
  expect((await request("GET", `${path}/members`)).body).toHaveLength(1);
  expect((await request("GET", `${path}/managers`)).body).toEqual([]);
  expect(await send(kim)).toBe("user_banned");
  const { events } = (await request("GET", `/events?after=${cursor}`)).body;
  expect(events.map(({ type }: { type: string }) => type)).toEqual(["member.left", "manager.removed"]);
});

test("each change emits one event, and what changes nothing emits none", async () => {
  const { room, kim, lee, path } = await createRoom();
  const cursor = await latest();
  const until = Date.now() + hour;
  for (let count = 0; count < 2; count++) {
    await request("PUT", `${path}/members/${lee}/mute`, { until });
    await request("PUT", `${path}/bans/${kim}`, { until, reason: "Advertising" });
    await request("PUT", `/users/${lee}/suspension`);
  }
  for (let count = 0; count < 2; count++) {
    await request("DELETE", `${path}/members/${lee}/mute`);
    await request("DELETE", `${path}/bans/${kim}`);
    await request("DELETE", `/users/${lee}/suspension`);
  }
  const report = (await request("POST", "/reports", { channel_id: room, reason: "Noise" })).body;
  const change = { status: "resolved", resolution: "Nothing to do." };
  for (let count = 0; count < 2; count++) await request("PUT", `/reports/${report.report_id}`, change);
  await request("PUT", `/reports/${report.report_id}`, { status: "open" });
  const events = await eventsAfter(cursor);
  const user = (user_id: string) => ({ user_id, user: { user_id } });
  expect(events).toMatchObject([
    ["member.muted", { ...user(lee), muted_until: until }],
    ["member.left", user(kim)],
    ["manager.removed", user(kim)],
    ["member.banned", { ...user(kim), until }],
    ["user.updated", user(lee)],
    ["member.unmuted", user(lee)],
    ["member.unbanned", user(kim)],
    ["user.updated", user(lee)],
    ["report.created", { report_id: report.report_id, report: { status: "open" } }],
    ["report.resolved", { report_id: report.report_id }],
  ]);
  expect(JSON.stringify(events)).not.toContain("Advertising");
});

test("a deleted user leaves no mute, no ban and no id in reports; a deleted channel leaves no report", async () => {
  const { room, kim, lee, path } = await createRoom();
  await request("PUT", `${path}/members/${kim}/mute`);
  await request("PUT", `${path}/bans/${kim}`);
  const created = await request("POST", "/reports", {
    channel_id: room,
    reported_user_id: kim,
    reporter_user_id: lee,
    reason: "Advertising",
  });
  const reportPath = `/reports/${created.body.report_id}`;
  await request("DELETE", `/users/${kim}`);
  while (await sweepDeletedUsers(server.db));
  const report = (await request("GET", reportPath)).body;
  expect(report).toMatchObject({ reporter_user_id: lee });
  expect(report).not.toHaveProperty("reported_user_id");
  // Another user with the id.
  await request("POST", "/users", { user_id: kim, name: "Kim" });
  expect((await request("PUT", `${path}/join`, { member: kim })).status).toBe(200);
  const [left] = await server.db.channel(room).query<{ count: number }>({
    name: "test.count-restrictions",
    text: `SELECT (SELECT count(*) FROM mutes x JOIN channels c ON c.pk = x.channel_pk WHERE channel_id = '${room}')
      + (SELECT count(*) FROM bans x JOIN channels c ON c.pk = x.channel_pk WHERE channel_id = '${room}') AS count`,
  });
  expect(left?.count).toBe(0);
  await request("DELETE", path);
  while (await sweepDeletedChannels(server.db));
  expect((await request("GET", reportPath)).body.code).toBe("report_not_found");
});

test("a report keeps a copy of its message; one that is repeated with its key returns the first one, also after the message was deleted", async () => {
  const { room, kim, path } = await createRoom();
  const { body } = await request("POST", `${path}/messages`, {
    user_id: kim,
    type: "text",
    content: "offensive words",
  });
  const report = { channel_id: room, message_id: body.message_id, reason: "Noise" };
  const create = () =>
    call(server.url, "POST", "/v1/reports", { body: report, idempotencyKey: `report-${room}` });
  const first = await create();
  expect(first.status).toBe(201);
  await request("DELETE", `${path}/messages/${body.message_id}`);
  expect(await create()).toMatchObject({ status: 201, body: first.body });
  expect((await request("GET", `/reports/${first.body.report_id}`)).body).toEqual(first.body);
  expect(first.body).toMatchObject({ reported_user_id: kim, reported: { content: "offensive words" } });
  // Only the report has the copy, so that it goes with the report.
  const rows = await server.db.query({
    name: "test.copies-of-reported",
    text: "SELECT FROM idempotency_keys WHERE strpos(result::text, 'offensive') > 0",
  });
  expect(rows).toEqual([]);
  const { events } = (await request("GET", "/events?types=report.created&limit=500")).body;
  expect(JSON.stringify(events)).not.toContain("offensive");
});

test("the copy of a reported message goes 30 days after its report was resolved", async () => {
  const { room, kim, path } = await createRoom();
  const message = { user_id: kim, type: "text", content: "offensive words" };
  const { message_id } = (await request("POST", `${path}/messages`, message)).body;
  const create = async () =>
    (await request("POST", "/reports", { channel_id: room, message_id, reason: "Noise" })).body.report_id;
  const [resolved, open] = [await create(), await create()];
  const { updated_at } = (await request("PUT", `/reports/${resolved}`, { status: "resolved" })).body;
  const copyOf = async (id: string) => (await request("GET", `/reports/${id}`)).body.reported?.content;
  const dueAt = updated_at + 30 * 24 * hour;
  await sweepEvidence(server.db, dueAt - 1);
  expect(await copyOf(resolved)).toBe("offensive words");
  await sweepEvidence(server.db, dueAt);
  expect([await copyOf(resolved), await copyOf(open)]).toEqual([undefined, "offensive words"]);
});
