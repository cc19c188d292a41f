import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sweepRevocations } from "../../src/modules/tokens/store";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { createToken } from "../support/replay";
import { startServer, startServerOn, type TestServer } from "../support/server";

let now = Date.now();
let server: TestServer;
let other: TestServer;
let chat: ReturnType<typeof chatWith>;
beforeAll(async () => {
  server = await startServer({
    now: () => now,
    settings: { MADANG_PUBLIC_META: "title", MADANG_KEY_HEADERS: "x-api-key" },
  });
  other = await startServerOn(server.databaseUrl, { now: () => now });
  chat = chatWith(server);
  for (const user_id of ["kim_01", "lee_02", "park_03"])
    await chat.users.create({ user_id, name: user_id, meta: { title: "Dr", salary: "12" } });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01", "lee_02"] });
});
afterAll(async () => {
  await other.close();
  await server.close();
});

const get = (path: string, key: string, url = server.url) => call(url, "GET", path, { key });
const statusOf = async (key: string, url = server.url) => (await get("/v1/users/kim_01", key, url)).status;

test("a token acts as its user, who may leave out its own name", async () => {
  const token = await createToken(server.url, "kim_01");
  expect((await get("/v1/applications/keys/self", token)).body).toEqual({
    kind: "user",
    user_id: "kim_01",
    expires_at: now + 3_600_000,
  });
  const path = "/v1/group/channels/room_1/messages";
  const sent = await call(server.url, "POST", path, { key: token, body: { type: "text", content: "Hi" } });
  expect([sent.status, sent.body.user.user_id]).toEqual([201, "kim_01"]);
  const system = { key: token, body: { type: "system", content: "Kim is the boss." } };
  expect((await call(server.url, "POST", path, system)).body.code).toBe("not_permitted");
  const named = { key: token, body: { user_id: "lee_02", type: "text", content: "Hi" } };
  expect((await call(server.url, "POST", path, named)).body.code).toBe("not_permitted");
});

test("a user sees of others what is public, and everything of itself", async () => {
  const token = await createToken(server.url, "kim_01");
  await chat.messages.send("room_1", { user_id: "lee_02", type: "text", content: "Noon?" });
  await chat.users.suspend("lee_02");
  await chat.channels.members.mute("room_1", "lee_02");
  const [kim, lee] = (await get("/v1/group/channels/room_1/members", token)).body;
  const shown = { user_id: "lee_02", name: "lee_02", meta: { title: "Dr" }, created_at: expect.any(Number) };
  expect(lee).toEqual({ ...shown, joined_at: expect.any(Number) });
  expect(kim).toMatchObject({ meta: { title: "Dr", salary: "12" }, updated_at: expect.any(Number) });
  const { messages } = (await get("/v1/group/channels/room_1/messages", token)).body;
  expect(messages[0].user).toEqual(shown);
  expect((await get("/v1/group/channels/room_1/members/lee_02", token)).body).toEqual(lee);
  expect((await get("/v1/group/channels/room_1/members/kim_01", token)).body.unread_count).toBe(1);
  await chat.users.unsuspend("lee_02");
  await chat.channels.members.unmute("room_1", "lee_02");
});

test("a channel of others does not exist, also after leaving it", async () => {
  const token = await createToken(server.url, "park_03");
  const room = await get("/v1/group/channels/room_1", token);
  const nowhere = await get("/v1/group/channels/room_9", token);
  expect([room.status, room.body.code]).toEqual([404, "channel_not_found"]);
  expect(nowhere.body.detail.replace("room_9", "room_1")).toBe(room.body.detail);
  await chat.channels.members.join("room_1", "park_03");
  expect((await get("/v1/group/channels/room_1", token)).status).toBe(200);
  const leave = () => call(server.url, "PUT", "/v1/group/channels/room_1/leave", { key: token });
  expect((await leave()).status).toBe(200);
  expect((await leave()).body.code).toBe("channel_not_found");
});

test("a reaction that is repeated after leaving shows nothing of the channel", async () => {
  await chat.channels.create({ channel_id: "room_2", name: "Lunch", members: ["lee_02", "park_03"] });
  const { message_id } = await chat.messages.send("room_2", {
    user_id: "lee_02",
    type: "text",
    content: "Hi",
  });
  const key = await createToken(server.url, "park_03");
  const path = `/v1/group/channels/room_2/messages/${message_id}/reactions`;
  const react = (method: string) =>
    call(server.url, method, `${path}/ok/park_03`, { key, idempotencyKey: `${method}-and-leave` });
  for (const method of ["PUT", "DELETE"]) expect((await react(method)).status).toBe(200);
  await chat.channels.members.leave("room_2", "park_03");
  await chat.messages.reactions.add("room_2", message_id, "later", "lee_02");
  for (const method of ["PUT", "DELETE"])
    expect((await react(method)).body).toMatchObject({ code: "channel_not_found" });
});

test("a send with a file, an edit and an end that were stored have their response, also after the sender was removed", async () => {
  await chat.channels.create({ channel_id: "room_3", name: "Lunch", members: ["park_03"] });
  const { file_id } = await chat.files.upload("room_3", new TextEncoder().encode("Menu"), {
    name: "menu.txt",
    type: "text/plain",
  });
  const key = await createToken(server.url, "park_03");
  const messages = "/v1/group/channels/room_3/messages";
  const text = { type: "text", content: "Hi" };
  const create = async (body: object) =>
    (await call(server.url, "POST", messages, { key, body })).body.message_id;
  const edited = await create(text);
  const streamed = await create({ ...text, streaming: true });
  const changes = [
    ["POST", messages, { ...text, attachments: [{ file_id }] }],
    ["PUT", `${messages}/${edited}`, { content: "Edited" }],
    ["PUT", `${messages}/${streamed}/finish`, { state: "done", content: "Done" }],
  ] as const;
  const change = async () => {
    const responses: { status: number; body: { content?: string } }[] = [];
    for (const [index, [method, path, body]] of changes.entries())
      responses.push(await call(server.url, method, path, { key, body, idempotencyKey: `removed-${index}` }));
    return responses.map(({ status, body }) => [status, body.content]);
  };
  const expected = [
    [201, "Hi"],
    [200, "Edited"],
    [200, "Done"],
  ];
  expect(await change()).toEqual(expected);
  await chat.channels.members.leave("room_3", "park_03");
  expect(await change()).toEqual(expected);
});

test("a search of the messages of one user does not tell whether the user exists", async () => {
  await chat.users.create({ user_id: "hidden_05", name: "Hidden" });
  await chat.messages.send("room_1", { user_id: "lee_02", type: "text", content: "Searched" });
  const key = await createToken(server.url, "kim_01");
  const search = (user: string) =>
    get(`/v1/group/channels/room_1/messages/search?q=searched&user_id=${user}`, key);
  for (const user of ["hidden_05", "nobody"]) {
    // On a busy machine, a search ends its page early, with a cursor.
    const found = async () => {
      const { status, body } = await search(user);
      return [user, status, body];
    };
    await expect.poll(found).toEqual([user, 200, { messages: [] }]);
  }
  expect((await search("lee_02")).body.messages).toMatchObject([{ content: "Searched" }]);
});

test("tokens end with revokeTokens, on every process within a second, and later ones are valid", async () => {
  const token = await createToken(server.url, "kim_01");
  expect([await statusOf(token), await statusOf(token, other.url)]).toEqual([200, 200]);
  await chat.users.revokeTokens("kim_01");
  expect(await statusOf(token)).toBe(401);
  await sleep(1_000);
  expect(await statusOf(token, other.url)).toBe(401);
  expect(await statusOf(await createToken(server.url, "kim_01"), other.url)).toBe(200);
});

test("tokens are valid while the last revocation of their user is forgotten", async () => {
  const late: TestServer[] = [];
  const statuses = async () => {
    const token = await createToken(server.url, "kim_01");
    return Promise.all([server, other, ...late].map(({ url }) => statusOf(token, url)));
  };
  await chat.users.revokeTokens("kim_01");
  // Both processes load the revocation, and have it for an hour.
  expect(await statuses()).toEqual([200, 200]);
  await server.db.query(makeRevocationsOlder, [25 * 3_600_000 + 1_000]);
  while (await sweepRevocations(server.db));
  expect(await statuses()).toEqual([200, 200]);
  // One that begins now does not have it when it is removed.
  late.push(await startServerOn(server.databaseUrl, { now: () => now }));
  expect(await statuses()).toEqual([200, 200, 200]);
  await server.db.query(makeRevocationsOlder, [2 * 3_600_000]);
  while (await sweepRevocations(server.db));
  expect((await statuses()).slice(2)).toEqual([200]);
  for (const one of late) await one.close();
  // By now, the others would have loaded all revocations again.
  await chat.users.revokeTokens("kim_01");
});

const makeRevocationsOlder = {
  name: "test.make-revocations-older",
  text: "UPDATE token_revocations SET created_at = created_at - $1 RETURNING 1",
};

test("a token ends with its time, which is not counted as a wrong key", async () => {
  const strict = await startServerOn(server.databaseUrl, {
    now: () => now,
    settings: { MADANG_AUTH_FAILURE_LIMIT: "2/60s" },
  });
  const token = await createToken(server.url, "kim_01");
  now += 3_600_000;
  for (let index = 0; index < 5; index++) expect(await statusOf(token, strict.url)).toBe(401);
  const forged = [await statusOf("ut_forged", strict.url), await statusOf("ut_forged", strict.url)];
  expect([...forged, await statusOf("ut_forged", strict.url)]).toEqual([401, 401, 429]);
  await strict.close();
});

test("a process whose clock is wrong shifts when its tokens expire, and takes part in every revocation", async () => {
  for (const shift of [-1_800_000, 1_800_000]) {
    const wrong = await startServerOn(server.databaseUrl, { now: () => now + shift });
    const token = await createToken(wrong.url, "kim_01");
    expect([await statusOf(token), await statusOf(token, wrong.url)]).toEqual([200, 200]);
    expect((await get("/v1/applications/keys/self", token)).body.expires_at).toBe(now + shift + 3_600_000);
    await chat.users.revokeTokens("kim_01");
    await sleep(1_000);
    expect([await statusOf(token), await statusOf(token, wrong.url)]).toEqual([401, 401]);
    const next = await createToken(server.url, "kim_01");
    expect(await statusOf(next, wrong.url)).toBe(200);
    await chatWith(wrong).users.revokeTokens("kim_01");
    await sleep(1_000);
    expect([await statusOf(next), await statusOf(next, wrong.url)]).toEqual([401, 401]);
    await wrong.close();
  }
});

test("tokens and keys of a user end with its deletion, also when the id is used again", async () => {
  await chat.users.create({ user_id: "short_04", name: "Short" });
  const token = await createToken(server.url, "short_04");
  const { key } = await chat.keys.create({ user_id: "short_04", label: "bot" });
  const self = (sent: string) => get("/v1/users/short_04", sent);
  expect([(await self(token)).status, (await self(key)).status]).toEqual([200, 200]);
  expect((await get("/v1/users", key)).body.code).toBe("not_permitted");
  await chat.users.delete("short_04");
  await chat.users.create({ user_id: "short_04", name: "Another" });
  await sleep(1_000);
  expect([(await self(token)).status, (await self(key)).status]).toEqual([401, 401]);
  expect((await chat.keys.list()).find((one) => one.key === key)).toMatchObject({ user_id: "short_04" });
  await chat.keys.delete(key);
});

test("a token has the scopes of the key that created it, and ends with it", async () => {
  const { key } = await chat.keys.create({ scopes: ["users.createToken", "channels.get"] });
  const { token } = (await call(server.url, "POST", "/v1/users/kim_01/tokens", { key })).body;
  expect((await get("/v1/group/channels/room_1", token)).status).toBe(200);
  expect((await get("/v1/users/kim_01", token)).body.code).toBe("scope_missing");
  await chat.keys.delete(key);
  await sleep(1_000);
  expect((await get("/v1/group/channels/room_1", token)).status).toBe(401);
});

test("a token is sent in no other header than Authorization", async () => {
  const headers = { "x-api-key": await createToken(server.url, "kim_01") };
  expect((await fetch(`${server.url}/v1/users/kim_01`, { headers })).status).toBe(401);
});

test("a cursor belongs to its user", async () => {
  for (let index = 0; index < 3; index++)
    await chat.messages.send("room_1", { user_id: "lee_02", type: "text", content: `${index}` });
  const path = "/v1/group/channels/room_1/messages";
  const token = await createToken(server.url, "kim_01");
  const { next } = (await get(`${path}?limit=1`, token)).body;
  expect((await get(`${path}?next=${next}`, token)).status).toBe(200);
  const ofLee = await createToken(server.url, "lee_02");
  expect((await get(`${path}?next=${next}`, ofLee)).body.code).toBe("invalid_cursor");
});

test("pages of the listed origins may call, without a key for the preflight, and no others", async () => {
  const open = await startServerOn(server.databaseUrl, {
    settings: { MADANG_ORIGINS: "https://app.example.com" },
  });
  const ask = async (origin: string, method = "OPTIONS") => {
    const headers = {
      origin,
      ...(method === "OPTIONS" && {
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type,idempotency-key",
      }),
    };
    const response = await fetch(`${open.url}/v1/group/channels/room_1/messages`, { method, headers });
    return [response.status, response.headers.get("access-control-allow-origin")];
  };
  expect(await ask("https://app.example.com")).toEqual([204, "https://app.example.com"]);
  expect(await ask("https://app.example.com", "GET")).toEqual([401, "https://app.example.com"]);
  expect(await ask("https://evil.example.com")).toEqual([204, null]);
  expect(await ask("https://evil.example.com", "GET")).toEqual([401, null]);
  await open.close();
});
