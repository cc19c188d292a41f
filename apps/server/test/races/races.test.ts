import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/db/db";
import { call, callPatiently, type Reply, type Sent } from "../support/call";
import { checkData } from "../support/check-data";
import { createDatabase, openDatabase } from "../support/database";
import { report, scale } from "../support/report";
import { type Rival, startRival } from "./rival";

const callers = 64;
const rounds = scale(3, 50);
const limitRaces = scale(3, 1_000);
const concurrency = 32;
const idRaces = scale(3, 200);
let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [Rival, Rival];
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startRival(database.url), startRival(database.url)]);
  db = await openDatabase(database.url);
  // More than any limit, each with its own millisecond.
  await db.query({
    name: "test.create-users",
    text: `INSERT INTO users (user_id, name, created_at, updated_at)
      SELECT 'user_' || n, 'User', n, n FROM generate_series(0, 199) n RETURNING 1`,
  });
});
afterAll(async () => {
  await db.close();
  await Promise.all(servers.map((server) => server.close()));
  await database.drop();
});

/** Runs a statement on every part of the database. */
const everywhere = (text: string) =>
  Promise.all(db.schemas().map((schema) => schema.query({ name: `test.${text.slice(0, 20)}`, text })));

const channels = "/v1/group/channels";
const urlOf = (index: number) => servers[index % 2 === 0 ? 0 : 1].url;

type Request = readonly [method: string, path: string, body?: unknown];

/** Sends requests with a given concurrency, alternating between the two processes. */
async function race(
  one: (index: number) => Request,
  { requests, width = requests }: { readonly requests: number; readonly width?: number } = {
    requests: callers,
  },
): Promise<Reply[]> {
  const replies: Reply[] = [];
  let next = 0;
  const runner = async () => {
    while (next < requests) {
      const index = next++;
      const [method, path, body] = one(index);
      replies[index] = await callPatiently(urlOf(index), method, path, body === undefined ? {} : { body });
    }
  };
  await Promise.all(Array.from({ length: width }, runner));
  return replies;
}

async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return callPatiently(servers[0].url, method, path, sent);
}

function createChannel(channel_id: string, members: readonly string[] = []): Promise<Reply> {
  return send("POST", channels, { body: { channel_id, name: "Race", members, reuse: false } });
}

/** Asserts that `max` requests succeed and all others get 409 with the code. */
function expectLimit(replies: readonly Reply[], max: number, success: number, code: string): void {
  const [succeeded, others] = [true, false].map((isSuccess) =>
    replies.filter(({ status }) => (status === success) === isSuccess),
  );
  expect(succeeded).toHaveLength(max);
  expect(new Set(others?.map(({ status, body }) => `${status} ${body?.code}`))).toEqual(
    new Set([`409 ${code}`]),
  );
}

async function checkAndReport(
  fault: string,
  requests: number,
  load = `${callers} clients, 2 processes, ${rounds} rounds`,
): Promise<void> {
  const { lost, duplicated, violations } = await checkData(database.url);
  const wrong = violations.length;
  await report({
    fault,
    load,
    sent: requests,
    acknowledged: requests,
    lost,
    duplicated,
    wrong,
  });
  expect(violations).toEqual([]);
}

const limitLoad = (requests: number) => `${requests} clients, ${concurrency} at once, ${limitRaces} races`;

test("of 150 concurrent joins, 100 succeed", async () => {
  const size = { requests: 150, width: concurrency };
  for (let round = 0; round < limitRaces; round++) {
    await createChannel(`join_${round}`);
    const path = `${channels}/join_${round}/join`;
    const replies = await race((index) => ["PUT", path, { member: `user_${index}` }], size);
    expectLimit(replies, 100, 200, "member_limit_exceeded");
  }
  await checkAndReport("joins at the limit of 100", limitRaces * 150, limitLoad(150));
});

test("of concurrent additions of seven users and single joins, exactly 100 users are added, and each once", async () => {
  const size = { requests: 60, width: concurrency };
  for (let round = 0; round < limitRaces; round++) {
    const channel = `many_${round}`;
    await createChannel(channel);
    const path = `${channels}/${channel}`;
    // The users of one request are also in others. The last requests fill the channel one by one.
    const usersOf = (index: number) =>
      Array.from({ length: index < 40 ? 7 : 1 }, (_, each) => `user_${(index * 5 + each) % 200}`);
    const one = (index: number): Request =>
      index % 10 === 9
        ? ["PUT", `${path}/join`, { member: usersOf(index)[0] }]
        : ["POST", `${path}/members`, { members: usersOf(index) }];
    const replies = await race(one, size);
    const rest = await race((index) => ["POST", `${path}/members`, { members: [`user_${index}`] }], {
      requests: 200,
      width: concurrency,
    });
    const all = [...replies, ...rest];
    const problems = new Set(all.filter(({ status }) => status !== 200).map(({ body }) => body.code));
    expect(problems).toEqual(new Set(["member_limit_exceeded"]));
    const joined = all.flatMap(({ body }) => body?.joined ?? []);
    const { body: members } = await send("GET", `${path}/members`);
    const ids: string[] = members.map(({ user_id }: { user_id: string }) => user_id);
    expect(ids).toHaveLength(100);
    expect(new Set(joined).size).toBe(joined.length);
    expect(ids).toEqual(expect.arrayContaining(joined));
    // All of a request that was accepted, and none of one that was rejected.
    for (const [index, { status, body }] of replies.entries())
      if (status === 200 && body?.joined !== undefined)
        expect([...body.joined, ...body.already_joined].sort()).toEqual(usersOf(index).sort());
  }
  await checkAndReport("additions of many at the limit of 100", limitRaces * 260, limitLoad(260));
});

test("concurrent messages to the same channels in different orders, beside single ones, all arrive once", async () => {
  const ids = Array.from({ length: 12 }, (_, index) => `all_${index}`);
  for (const id of ids) await createChannel(id, ["user_0"]);
  const orders = [ids, ids.toReversed(), [...ids.slice(5), ...ids.slice(0, 5)]];
  const requests = scale(90, 3_000);
  const replies = await race(
    (index) => {
      const message = { user_id: "user_0", type: "text", content: `all ${index}` };
      return index % 3 === 0
        ? ["POST", `${channels}/all_${index % 12}/messages`, message]
        : ["POST", "/v1/messages", { ...message, channel_ids: orders[index % orders.length] }];
    },
    { requests, width: 8 },
  );
  expect(new Set(replies.map(({ status, body }) => (status < 300 ? status : body.detail)))).toEqual(
    new Set([200, 201]),
  );
  const sent = new Map(ids.map((id) => [id, 0]));
  const count = (id: string) => sent.set(id, (sent.get(id) ?? 0) + 1);
  for (const [index, { status, body }] of replies.entries()) {
    if (status === 201) count(body.channel_id);
    else {
      expect(body.results.map(({ channel_id }: { channel_id: string }) => channel_id)).toEqual(
        orders[index % orders.length],
      );
      for (const { message } of body.results) count(message.channel_id);
    }
  }
  for (const id of ids) {
    const { body } = await send("GET", `${channels}/${id}`);
    expect(body.total_message_count).toBe(sent.get(id));
  }
  const { violations } = await checkData(database.url);
  await report({
    fault: "messages to 12 channels at once",
    load: "8 at once, 2 processes",
    sent: requests,
    acknowledged: requests,
    wrong: violations.length,
  });
  expect(violations).toEqual([]);
  // The other tests take messages with the same content for duplicates.
  for (const id of ids) await send("DELETE", `${channels}/${id}`);
  await everywhere("DELETE FROM messages WHERE content LIKE 'all %' RETURNING 1");
});

test("of many concurrent manager requests, ten succeed", async () => {
  for (let round = 0; round < limitRaces; round++) {
    await createChannel(`lead_${round}`);
    const path = `${channels}/lead_${round}/managers`;
    const one = (index: number): Request => ["POST", path, { manager: `user_${index}` }];
    expectLimit(await race(one, { requests: concurrency }), 10, 200, "manager_limit_exceeded");
  }
  await checkAndReport("managers at the limit of 10", limitRaces * concurrency, limitLoad(concurrency));
});

test("of many concurrent sub key creates, ten succeed", async () => {
  for (let round = 0; round < limitRaces; round++) {
    const replies = await race(() => ["POST", "/v1/applications/keys"], { requests: concurrency });
    expectLimit(replies, 10, 201, "key_limit_exceeded");
    const created = replies.filter(({ status }) => status === 201).map(({ body }) => body.key);
    await race((index) => ["DELETE", "/v1/applications/keys", { key: created[index] }], { requests: 10 });
  }
  await checkAndReport("sub keys at the limit of 10", limitRaces * concurrency, limitLoad(concurrency));
});

test("concurrent metadata merges store ten pairs, including every accepted one", async () => {
  for (let round = 0; round < limitRaces; round++) {
    const user_id = `meta_${round}`;
    await send("POST", "/v1/users", { body: { user_id, name: "Meta" } });
    const key = (index: number) =>
      `k${String.fromCharCode(97 + Math.floor(index / 26))}${String.fromCharCode(97 + (index % 26))}`;
    const path = `/v1/users/${user_id}/meta`;
    const one = (index: number): Request => ["PUT", path, { meta: { [key(index)]: "1" } }];
    const replies = await race(one, { requests: concurrency });
    expectLimit(replies, 10, 200, "meta_limit_exceeded");
    const accepted = replies.flatMap(({ status }, index) => (status === 200 ? [key(index)] : []));
    const { body } = await send("GET", `/v1/users/${user_id}`);
    expect(Object.keys(body.meta).sort()).toEqual(accepted.sort());
  }
  await checkAndReport(
    "metadata merges at the limit of 10",
    limitRaces * concurrency,
    limitLoad(concurrency),
  );
});

test("of concurrent edits of the message that their callers have read, one succeeds, and the others get its result", async () => {
  await createChannel("edit_race", ["user_0"]);
  const messages = `${channels}/edit_race/messages`;
  const { body: sent } = await send("POST", messages, {
    body: { user_id: "user_0", type: "text", content: "0" },
  });
  let { updated_at: if_updated_at } = sent;
  for (let round = 0; round < limitRaces; round++) {
    const replies = await race(
      (index) => ["PUT", `${messages}/${sent.message_id}`, { content: `${round} ${index}`, if_updated_at }],
      { requests: concurrency },
    );
    expectLimit(replies, 1, 200, "message_changed");
    const winner = replies.find(({ status }) => status === 200)?.body;
    for (const { status, body } of replies) if (status === 409) expect(body.current).toEqual(winner);
    if_updated_at = winner.updated_at;
  }
  await checkAndReport("edits of the same message", limitRaces * concurrency, limitLoad(concurrency));
});

test("concurrent creates of a pair with reuse end with one channel", async () => {
  for (let round = 0; round < idRaces; round++) {
    const pair = [`user_${round % 190}`, `user_${(round % 190) + 1}`];
    if (round >= 190)
      await everywhere(
        "UPDATE channels SET deleted_at = 1 WHERE is_pair_only AND deleted_at IS NULL RETURNING 1",
      );
    const replies = await race((index) => [
      "POST",
      channels,
      {
        channel_id: `pair_${round}_${index}`,
        name: "Pair",
        members: index % 3 === 0 ? pair : pair.toReversed(),
        reuse: true,
      },
    ]);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.channel_id)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers.get("X-Channel-Created") === "true")).toHaveLength(1);
  }
  await checkAndReport(
    "reuse of one pair from both sides",
    idRaces * callers,
    `${callers} clients, 2 processes, ${idRaces} races`,
  );
});

test("of concurrent creates of one id, one succeeds", async () => {
  for (let round = 0; round < idRaces; round++) {
    for (const [path, body, code] of [
      ["/v1/users", { user_id: `one_${round}`, name: "One" }, "user_exists"],
      [channels, { channel_id: `one_${round}`, name: "One", members: [], reuse: false }, "channel_exists"],
    ] as const) {
      const replies = await race(() => ["POST", path, body]);
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(replies.filter(({ status, body: error }) => status === 409 && error.code === code)).toHaveLength(
        callers - 1,
      );
    }
  }
  await checkAndReport(
    "creates of one id",
    idRaces * callers * 2,
    `${callers} clients, 2 processes, ${idRaces} races`,
  );
});

test("deletes against joins, leaves, sends, merges and exports: only 2xx, 403, 404 and 409", async () => {
  for (let round = 0; round < scale(10, 100); round++) {
    const channel = `mix_${round}`;
    const person = `mix_u${round}`;
    await send("POST", "/v1/users", { body: { user_id: person, name: "Mix" } });
    await createChannel(channel, [person, "user_0"]);
    const path = `${channels}/${channel}`;
    const requests: [string, string, unknown?][] = [
      ["PUT", `${path}/join`, { member: person }],
      ["PUT", `${path}/leave`, { member: person }],
      ["POST", `${path}/messages`, { user_id: person, type: "text", content: `mixed${round}` }],
      ["POST", `${path}/managers`, { manager: person }],
      ["PUT", `/v1/users/${person}/meta`, { meta: { a: "1" } }],
      ["GET", `/v1/exports/group/channels/${channel}/messages`],
      ["GET", `${path}/members`],
      ["DELETE", `${path}/managers`, { manager: person }],
    ];
    const replies = await race((index) => {
      if (index === 30) return ["DELETE", `/v1/users/${person}`];
      if (index === 40 && round % 2 === 0) return ["DELETE", path];
      if (index === 50) return ["POST", "/v1/users", { user_id: person, name: "Again" }];
      return requests[index % requests.length] ?? ["GET", path];
    });
    const statuses = new Set(replies.map(({ status }) => status));
    for (const status of statuses) expect([200, 201, 403, 404, 409]).toContain(status);
  }
  await everywhere("UPDATE messages SET content = pk::text WHERE content LIKE 'mixed%' RETURNING 1");
  await checkAndReport("deletes against all other changes", scale(10, 100) * callers);
});

test("after the response to a freeze, no process accepts a message from a participant", async () => {
  for (let round = 0; round < rounds; round++) {
    const path = `${channels}/ice_${round}`;
    await createChannel(`ice_${round}`, ["user_0", "user_1"]);
    let isFrozen = false;
    const sends = race(() => [
      "POST",
      `${path}/messages`,
      { user_id: "user_1", type: "text", content: crypto.randomUUID() },
    ]);
    expect((await send("PUT", `${path}/freeze`, { body: { freeze: true } })).status).toBe(200);
    isFrozen = true;
    const late = await race(() => [
      "POST",
      `${path}/messages`,
      { user_id: "user_1", type: "text", content: crypto.randomUUID() },
    ]);
    expect(isFrozen && late.every(({ body }) => body.code === "channel_frozen")).toBe(true);
    for (const { status, body } of await sends)
      expect(status === 201 || body.code === "channel_frozen").toBe(true);
  }
  await checkAndReport("freezing against sending", rounds * callers * 2);
});

test("a key that is deleted while in use is rejected by both processes within a second", async () => {
  for (let round = 0; round < scale(1, 10); round++) {
    const { body } = await send("POST", "/v1/applications/keys");
    const statusOf = (url: string) =>
      call(url, "GET", "/v1/users/user_0", { key: body.key }).then(({ status }) => status);
    expect(await Promise.all(servers.map(({ url }) => statusOf(url)))).toEqual([200, 200]);
    await send("DELETE", "/v1/applications/keys", { body: { key: body.key } });
    const deletedAt = performance.now();
    let late = 0;
    while (performance.now() - deletedAt < 1_500) {
      const sentAt = performance.now();
      const statuses = await Promise.all(servers.map(({ url }) => statusOf(url)));
      for (const status of statuses) expect([200, 401]).toContain(status);
      if (sentAt - deletedAt > 1_000) late += statuses.filter((status) => status === 200).length;
      await sleep(5);
    }
    expect(late).toBe(0);
  }
});
