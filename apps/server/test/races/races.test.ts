import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServerProcess, startProcess } from "../faults/process";
import { judge } from "../properties/judge";
import { call, type Reply, type Sent } from "../support/call";
import { createDatabase } from "../support/database";
import { report, scale } from "../support/report";

const callers = 64;
const rounds = scale(3, 50);
/** At each cap: more races, and more in each than come in at once. */
const capRaces = scale(3, 1_000);
const atOnce = 32;
const idRaces = scale(3, 200);
let database: Awaited<ReturnType<typeof createDatabase>>;
let servers: readonly [ServerProcess, ServerProcess];
let client: pg.Client;
beforeAll(async () => {
  database = await createDatabase();
  servers = await Promise.all([startProcess(database.url), startProcess(database.url)]);
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  // More than any cap, and no two of one millisecond.
  await client.query(`INSERT INTO users (user_id, name, created_at, updated_at)
    SELECT 'user_' || n, 'User', n, n FROM generate_series(0, 199) n`);
});
afterAll(async () => {
  await client.end();
  await Promise.all(servers.map((server) => server.end("SIGTERM")));
  await database.drop();
});

const room = "/v1/group/channels";
const urlOf = (index: number) => servers[index % 2 === 0 ? 0 : 1].url;

type Request = readonly [method: string, path: string, body?: unknown];

/** So many requests, so many of them at once, every other one to the other process. */
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
      replies[index] = await call(urlOf(index), method, path, body === undefined ? {} : { body });
    }
  };
  await Promise.all(Array.from({ length: width }, runner));
  return replies;
}

async function send(method: string, path: string, sent: Sent = {}): Promise<Reply> {
  return call(servers[0].url, method, path, sent);
}

function makeRoom(channel_id: string, members: readonly string[] = []): Promise<Reply> {
  return send("POST", room, { body: { channel_id, name: "Race", members, reuse: false } });
}

/** As many get in as there is room for and the others are told that it is full; nobody sees anything else. */
function expectFull(replies: readonly Reply[], room: number, success: number, code: string): void {
  const [inside, others] = [true, false].map((isIn) =>
    replies.filter(({ status }) => (status === success) === isIn),
  );
  expect(inside).toHaveLength(room);
  expect(new Set(others?.map(({ status, body }) => `${status} ${body?.code}`))).toEqual(
    new Set([`409 ${code}`]),
  );
}

async function conclude(
  fault: string,
  requests: number,
  load = `${callers} clients, 2 processes, ${rounds} rounds`,
): Promise<void> {
  const { lost, doubled, broken } = await judge(database.url);
  const wrong = broken.length;
  await report({
    fault,
    load,
    sent: requests,
    acknowledged: requests,
    lost,
    doubled,
    wrong,
    longestOutageMs: undefined,
  });
  expect(broken).toEqual([]);
}

const capLoad = (requests: number) => `${requests} clients, ${atOnce} at once, ${capRaces} races`;

test("of 150 joins a hundred get in", async () => {
  const size = { requests: 150, width: atOnce };
  for (let round = 0; round < capRaces; round++) {
    await makeRoom(`join_${round}`);
    const path = `${room}/join_${round}/join`;
    const replies = await race((index) => ["PUT", path, { member: `user_${index}` }], size);
    expectFull(replies, 100, 200, "member_limit_exceeded");
  }
  await conclude("joins at the limit of 100", capRaces * 150, capLoad(150));
});

test("of many registrations ten managers get in", async () => {
  for (let round = 0; round < capRaces; round++) {
    await makeRoom(`lead_${round}`);
    const path = `${room}/lead_${round}/managers`;
    const one = (index: number): Request => ["POST", path, { manager: `user_${index}` }];
    expectFull(await race(one, { requests: atOnce }), 10, 200, "manager_limit_exceeded");
  }
  await conclude("managers at the limit of 10", capRaces * atOnce, capLoad(atOnce));
});

test("racing creates of sub keys make ten", async () => {
  for (let round = 0; round < capRaces; round++) {
    const replies = await race(() => ["POST", "/v1/applications/keys"], { requests: atOnce });
    expectFull(replies, 10, 201, "key_limit_exceeded");
    const made = replies.filter(({ status }) => status === 201).map(({ body }) => body.key);
    await race((index) => ["DELETE", "/v1/applications/keys", { key: made[index] }], { requests: 10 });
  }
  await conclude("sub keys at the limit of 10", capRaces * atOnce, capLoad(atOnce));
});

test("racing merges of metadata store ten pairs, and lose none that was accepted", async () => {
  for (let round = 0; round < capRaces; round++) {
    const user_id = `meta_${round}`;
    await send("POST", "/v1/users", { body: { user_id, name: "Meta" } });
    const key = (index: number) =>
      `k${String.fromCharCode(97 + Math.floor(index / 26))}${String.fromCharCode(97 + (index % 26))}`;
    const path = `/v1/users/${user_id}/meta`;
    const one = (index: number): Request => ["PUT", path, { meta: { [key(index)]: "1" } }];
    const replies = await race(one, { requests: atOnce });
    expectFull(replies, 10, 200, "meta_limit_exceeded");
    const accepted = replies.flatMap(({ status }, index) => (status === 200 ? [key(index)] : []));
    const { body } = await send("GET", `/v1/users/${user_id}`);
    expect(Object.keys(body.meta).sort()).toEqual(accepted.sort());
  }
  await conclude("metadata merges at the limit of 10", capRaces * atOnce, capLoad(atOnce));
});

test("racing creates of a pair with reuse, from both sides, end in one channel", async () => {
  for (let round = 0; round < idRaces; round++) {
    const pair = [`user_${round % 190}`, `user_${(round % 190) + 1}`];
    if (round >= 190)
      await client.query("UPDATE channels SET deleted_at = 1 WHERE is_pair_only AND deleted_at IS NULL");
    const replies = await race((index) => [
      "POST",
      room,
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
  await conclude(
    "reuse of one pair from both sides",
    idRaces * callers,
    `${callers} clients, 2 processes, ${idRaces} races`,
  );
});

test("racing creates of one id make one", async () => {
  for (let round = 0; round < idRaces; round++) {
    for (const [path, body, code] of [
      ["/v1/users", { user_id: `one_${round}`, name: "One" }, "user_exists"],
      [room, { channel_id: `one_${round}`, name: "One", members: [], reuse: false }, "channel_exists"],
    ] as const) {
      const replies = await race(() => ["POST", path, body]);
      expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(
        replies.filter(({ status, body: answer }) => status === 409 && answer.code === code),
      ).toHaveLength(callers - 1);
    }
  }
  await conclude(
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
    await makeRoom(channel, [person, "user_0"]);
    const path = `${room}/${channel}`;
    const moves: [string, string, unknown?][] = [
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
      return moves[index % moves.length] ?? ["GET", path];
    });
    const statuses = new Set(replies.map(({ status }) => status));
    for (const status of statuses) expect([200, 201, 403, 404, 409]).toContain(status);
  }
  await client.query("UPDATE messages SET content = pk::text WHERE content LIKE 'mixed%'");
  await conclude("deletes against all other changes", scale(10, 100) * callers);
});

test("once freezing is answered, no process takes a message from who is no manager", async () => {
  for (let round = 0; round < rounds; round++) {
    const path = `${room}/ice_${round}`;
    await makeRoom(`ice_${round}`, ["user_0", "user_1"]);
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
  await conclude("freezing against sending", rounds * callers * 2);
});

test("a key revoked while it is in use is refused by both processes within a second", async () => {
  for (let round = 0; round < scale(1, 10); round++) {
    const { body } = await send("POST", "/v1/applications/keys");
    const isIn = (url: string) =>
      call(url, "GET", "/v1/users/user_0", { key: body.key }).then(({ status }) => status);
    expect(await Promise.all(servers.map(({ url }) => isIn(url)))).toEqual([200, 200]);
    await send("DELETE", "/v1/applications/keys", { body: { key: body.key } });
    const deletedAt = performance.now();
    let late = 0;
    while (performance.now() - deletedAt < 1_500) {
      const askedAt = performance.now();
      const statuses = await Promise.all(servers.map(({ url }) => isIn(url)));
      for (const status of statuses) expect([200, 401]).toContain(status);
      if (askedAt - deletedAt > 1_000) late += statuses.filter((status) => status === 200).length;
      await sleep(5);
    }
    expect(late).toBe(0);
  }
});
