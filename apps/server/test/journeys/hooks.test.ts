import type { ServerResponse } from "node:http";
import { verifyHook } from "@madang/client/webhooks";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { call } from "../support/call";
import { chatWith } from "../support/chat";
import { createDatabase } from "../support/database";
import { startReceiver } from "../support/receiver";
import { createToken } from "../support/replay";
import { metricsUrlOf, startServerOn } from "../support/server";

const settings = { MADANG_WEBHOOK_ALLOW: "127.0.0.0/8", MADANG_METRICS_PORT: "0" };
const database = await createDatabase();
const servers = await Promise.all([
  startServerOn(database.url, { settings }),
  startServerOn(database.url, { settings, hasBackgroundTasks: true }),
]);
const [first, second] = servers;

type Body = Record<string, unknown>;
type Respond = (response: ServerResponse, question: Body) => unknown;

/** What the program of the application responds. */
let respond: Respond = () => undefined;
const program = await startReceiver();
program.respond = ({ event }, response) => {
  response.on("error", () => undefined);
  respond(response, event);
};
/** What it was asked. */
const questions = program.deliveries;
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await program.close();
  await database.drop();
});

const json = (body: unknown): Respond => {
  return (response) => response.end(JSON.stringify(body));
};
const accept = json({ action: "accept" });

let round = 0;

async function request(method: string, path: string, body?: Body, idempotencyKey?: string, url = first.url) {
  return call(url, method, `/v1${path}`, {
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
}

const hookIds: string[] = [];
afterEach(async () => {
  for (const id of hookIds.splice(0)) await request("DELETE", `/hooks/${id}`);
  questions.length = 0;
});

async function createHook(change: Body = {}) {
  const { body } = await request("POST", "/hooks", {
    url: program.url,
    operations: ["messages.send", "messages.update"],
    callers: "all",
    timeout_ms: 1_000,
    on_failure: "reject",
    ...change,
  });
  hookIds.push(body.hook_id);
  return body;
}

/** A channel with a participant, and a hook that responds so. */
async function createRoom(answer: Respond, change?: Body) {
  const [room, kim, park] = [`room_${round}`, `user_${round}`, `other_${round++}`];
  respond = answer;
  await request("POST", "/users", { user_id: kim, name: "Kim" });
  await request("POST", "/users", { user_id: park, name: "Park" });
  await request("POST", "/group/channels", { channel_id: room, name: "Room", members: [kim, park] });
  const hook = change === undefined ? undefined : await createHook(change);
  const path = `/group/channels/${room}`;
  const send = (content: string, key?: string, more: Body = {}, url = first.url) =>
    request("POST", `${path}/messages`, { user_id: kim, type: "text", content, ...more }, key, url);
  const sendOfOther = (content: string) => send(content, undefined, { user_id: park });
  return { room, kim, path, hook, send, sendOfOther };
}

const contents = async (path: string) =>
  (await request("GET", `${path}/messages`)).body.messages.map(({ content }: { content: string }) => content);

describe("what a hook is asked", () => {
  test("it gets the message, signed so that the SDK verifies it", async () => {
    const { send, room, kim, hook } = await createRoom(accept, {});
    const parent = (await send("First")).body.message_id;
    const { status } = await send("Hello", undefined, {
      parts: [{ type: "card" }],
      meta: { mood: "good" },
      reply_to: parent,
      mentions: [kim],
    });
    expect(status).toBe(201);
    const asked = questions.at(-1);
    const expected = {
      operation: "messages.send",
      channel_id: room,
      user_id: kim,
      content: "Hello",
      parts: [{ type: "card" }],
      meta: { mood: "good" },
      reply_to: parent,
      mentions: [kim],
    };
    expect(asked?.event).toEqual(expected);
    expect(await verifyHook(hook.secret, asked?.headers ?? {}, asked?.text ?? "")).toEqual(expected);
    await expect(verifyHook("whsec_AAAA", asked?.headers ?? {}, asked?.text ?? "")).rejects.toThrow();
  });

  test("an edit shows the whole message as it would be", async () => {
    const { send, path, kim, room } = await createRoom(accept, { operations: ["messages.update"] });
    const { body } = await send("Hello", undefined, { parts: [{ type: "card" }], meta: { mood: "good" } });
    expect(questions).toEqual([]);
    await request("PUT", `${path}/messages/${body.message_id}`, { meta: { mood: "bad" } });
    expect(questions.map(({ event }) => event)).toEqual([
      {
        operation: "messages.update",
        channel_id: room,
        message_id: body.message_id,
        user_id: kim,
        content: "Hello",
        parts: [{ type: "card" }],
        meta: { mood: "bad" },
      },
    ]);
  });

  test("a streamed message is read at its end, with what it began with", async () => {
    const { send, path } = await createRoom(accept, {});
    const begun = await send("Hel", undefined, { streaming: true, parts: [{ type: "card" }] });
    const message = `${path}/messages/${begun.body.message_id}`;
    await request("POST", `${message}/append`, { index: 0, content: "lo" });
    expect(questions).toEqual([]);
    expect((await request("PUT", `${message}/finish`, { state: "done" })).body.content).toBe("Hello");
    expect(questions.map(({ event }) => event)).toMatchObject([
      { operation: "messages.finish", content: "Hello", parts: [{ type: "card" }] },
    ]);
  });

  test("with callers users, only tokens and keys of users ask it; system messages never do", async () => {
    const { send, path, kim } = await createRoom(json({ action: "reject" }), { callers: "users" });
    const { token } = (await request("POST", `/users/${kim}/tokens`)).body;
    expect((await send("with a key")).status).toBe(201);
    const body = { type: "text", content: "with a token" };
    const sent = await call(first.url, "POST", `/v1${path}/messages`, { key: token, body });
    expect([sent.status, sent.body.check]).toEqual([422, "hook"]);
    await createHook({ callers: "all" });
    expect((await request("POST", `${path}/messages`, { type: "system", content: "Hi" })).status).toBe(201);
  });

  test("nothing is asked about what is rejected anyway: by a right, by slow mode, by a filter", async () => {
    const { send, path, kim, room } = await createRoom(accept, {});
    const spam = { label: "Spam", words: ["spam"], action: "reject", channel_ids: [room] };
    const { filter_id } = (await request("POST", "/filters", spam)).body;
    expect((await send("spam")).body.check).toBe("filter");
    await request("DELETE", `/filters/${filter_id}`);
    await request("PUT", `${path}/members/${kim}/mute`, {});
    expect((await send("muted")).body.code).toBe("member_muted");
    await request("DELETE", `${path}/members/${kim}/mute`);
    expect(questions).toEqual([]);
    await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
    await send("one");
    expect((await send("two")).body.code).toBe("slow_mode");
    expect(questions.map(({ event }) => event.content)).toEqual(["one"]);
  });

  test("several hooks are asked one after the other, each about what the one before has made", async () => {
    const { send } = await createRoom((response, { content }) => {
      response.end(JSON.stringify({ action: "replace", content: `${content}!` }));
    }, {});
    await createHook();
    expect((await send("Hi")).body.content).toBe("Hi!!");
    expect(questions.map(({ event }) => event.content)).toEqual(["Hi", "Hi!"]);
  });

  test("a message to several channels is asked about for each that would get it", async () => {
    const { kim, room } = await createRoom((response, { channel_id }) => {
      json(channel_id === room ? { action: "reject" } : { action: "replace", content: "Hallo" })(
        response,
        {},
      );
    }, {});
    const other = await createRoom(respond);
    await request("PUT", `${other.path}/join`, { member: kim });
    const body = { channel_ids: [room, other.room, "room_none"], user_id: kim, type: "text", content: "Hi" };
    const sent = await request("POST", "/messages", body, `many-${room}`);
    expect(sent.body.results).toMatchObject([
      { channel_id: room, code: "message_rejected" },
      { channel_id: other.room, message: { content: "Hallo" } },
      { channel_id: "room_none", code: "channel_not_found" },
    ]);
    expect(questions.map(({ event }) => event.channel_id)).toEqual([room, other.room]);
    respond = accept;
    expect((await request("POST", "/messages", body, `many-${room}`)).body).toEqual(sent.body);
    expect(questions.length).toBe(2);
  });
});

describe("what a hook responds", () => {
  test("a rejected message is 422 with the reason, and stored nowhere", async () => {
    const { send, path } = await createRoom(json({ action: "reject", reason: "Not here." }), {});
    const { status, body } = await send("unspeakable", `reject-${path}`);
    expect([status, body.code, body.check, body.reason]).toEqual([
      422,
      "message_rejected",
      "hook",
      "Not here.",
    ]);
    expect(await contents(path)).toEqual([]);
  });

  test("a message is stored with what replaces its content, parts and metadata", async () => {
    const answer = { action: "replace", content: "Hallo", parts: [{ type: "note" }], meta: { by: "hook" } };
    const { send, path } = await createRoom(json(answer), {});
    const sent = await send("Hello", `replace-${path}`);
    const { action: _, ...stored } = answer;
    expect(sent.body).toMatchObject(stored);
    respond = json({ action: "reject" });
    expect((await send("Hello", `replace-${path}`)).body).toEqual(sent.body);
    respond = json({ action: "replace", content: "Hej" });
    const message = `${path}/messages/${sent.body.message_id}`;
    expect((await request("PUT", message, { content: "Hi" })).body.content).toBe("Hej");
    expect(questions.length).toBe(2);
  });

  test.each(["hook", "filter"])(
    "a message that a %s rejected stays rejected when it is repeated, also if it would be accepted now",
    async (check) => {
      const { room, kim, path } = await createRoom(
        json({ action: "reject", reason: "Not here." }),
        check === "hook" ? {} : undefined,
      );
      const words = { label: "Spam", words: ["spam"], action: "reject", channel_ids: [room] };
      const filter = check === "filter" ? (await request("POST", "/filters", words)).body : undefined;
      const { messages } = chatWith(first);
      const send = (idempotencyKey: string, content = "spam") =>
        messages.send(room, { type: "text", user_id: kim, content }, { idempotencyKey });
      const rejected = { code: "message_rejected", check, ...(check === "hook" && { reason: "Not here." }) };
      await expect(send(`repeated-${room}`)).rejects.toMatchObject(rejected);
      respond = accept;
      if (filter !== undefined) await request("DELETE", `/filters/${filter.filter_id}`);
      await expect(send(`repeated-${room}`)).rejects.toMatchObject(rejected);
      await expect(send(`repeated-${room}`, "other")).rejects.toMatchObject({
        code: "idempotency_key_reused",
      });
      expect(questions.length).toBe(check === "hook" ? 1 : 0);
      expect(await contents(path)).toEqual([]);
      const sent = await send(`new-${room}`);
      const edit = (key: string) =>
        messages.update(room, sent.message_id, { content: "spam" }, { idempotencyKey: key });
      respond = json({ action: "reject" });
      if (check === "hook") await expect(edit(`edit-${room}`)).rejects.toMatchObject({ check });
      respond = accept;
      if (check === "hook") await expect(edit(`edit-${room}`)).rejects.toMatchObject({ check });
    },
  );

  test("a repeated send gets its message, although that has its external id and slow mode has begun with it", async () => {
    const { send, path } = await createRoom(accept, {});
    await request("PUT", `${path}/slow_mode`, { seconds: 3_600 });
    const key = `own-${path}`;
    const sent = await send("Hi", key, { external_id: "m-1" });
    const repeated = await send("Hi", key, { external_id: "m-1" });
    expect([repeated.status, repeated.body]).toEqual([201, sent.body]);
    expect(repeated.headers.get("idempotent-replayed")).toBe("true");
    expect(questions.length).toBe(1);
    expect((await send("Hi", `new-${path}`)).body.code).toBe("slow_mode");
    expect((await send("Hi", `new-${path}`, { external_id: "m-1" })).body.code).toBe("external_id_exists");
  });

  test.each([
    { said: "reject", saidLater: "accept", status: 422, stored: [] },
    { said: "accept", saidLater: "reject", status: 201, stored: ["Hi"] },
  ])(
    "of two requests with one key at once, both get what the hook said first: $said",
    async ({ said, saidLater, status, stored }) => {
      const { send, path } = await createRoom(() => undefined, { timeout_ms: 5_000 });
      const held: ServerResponse[] = [];
      respond = (response) => held.push(response);
      const sends = [send("Hi", `both-${path}`), send("Hi", `both-${path}`)];
      await expect.poll(() => held.length).toBe(2);
      const [one, other] = held;
      if (one !== undefined) json({ action: said })(one, {});
      await Promise.race(sends);
      if (other !== undefined) json({ action: saidLater })(other, {});
      const sent = await Promise.all(sends);
      expect(sent.map((each) => each.status)).toEqual([status, status]);
      expect(sent.map(({ headers }) => headers.get("idempotent-replayed")).sort()).toEqual(
        [null, "true"].sort(),
      );
      expect(await contents(path)).toEqual(stored);
    },
  );

  test.each(["send", "update", "finish"])(
    "a user who is deleted while the hook is asked changes nothing by a %s, also when another user has its id",
    async (operation) => {
      const { path, room, kim } = await createRoom(accept, { timeout_ms: 5_000 });
      const key = await createToken(first.url, kim);
      const asUser = (method: string, of: string, body: Body) =>
        call(first.url, method, `/v1${path}/messages${of}`, { key, body });
      const streaming = operation === "finish";
      const { body } = await asUser("POST", "", { type: "text", content: "First", streaming });
      const held: ServerResponse[] = [];
      respond = (response) => held.push(response);
      const change = {
        send: () => asUser("POST", "", { type: "text", content: "Late" }),
        update: () => asUser("PUT", `/${body.message_id}`, { content: "Late" }),
        finish: () => asUser("PUT", `/${body.message_id}/finish`, { state: "done" }),
      }[operation];
      const changed = change?.();
      await expect.poll(() => held.length).toBe(1);
      await request("DELETE", `/users/${kim}`);
      if (operation === "send") {
        await request("POST", "/users", { user_id: kim, name: "Another Kim" });
        await request("PUT", `${path}/join`, { member: kim });
      }
      for (const response of held) json({ action: "accept" })(response, {});
      expect((await changed)?.body).toMatchObject({
        code: "channel_not_found",
        detail: `There is no channel ${room}.`,
      });
      const { messages } = (await request("GET", `${path}/messages`)).body;
      expect(messages).toMatchObject([{ content: "First", user: { name: "Kim" } }]);
      expect(messages[0].state).toBe(streaming ? "streaming" : undefined);
    },
  );

  test.each([
    { stored: "Hi", answer: { action: "accept" } },
    { stored: "Hallo", answer: { action: "replace", content: "Hallo" } },
  ])(
    "of two requests with one key to several channels, both get the stored message $stored, also if the hook rejected the later one",
    async ({ stored, answer }) => {
      const { kim, room, path } = await createRoom(() => undefined, { timeout_ms: 5_000 });
      const held: ServerResponse[] = [];
      respond = (response) => held.push(response);
      const body = { channel_ids: [room], user_id: kim, type: "text", content: "Hi" };
      const sends = [first, second].map(({ url }) => request("POST", "/messages", body, `both-${path}`, url));
      await expect.poll(() => held.length).toBe(2);
      const [one, other] = held;
      if (one !== undefined) json(answer)(one, {});
      await Promise.race(sends);
      if (other !== undefined) json({ action: "reject" })(other, {});
      const [sent, repeated] = await Promise.all(sends);
      expect(sent?.body.results).toMatchObject([{ channel_id: room, message: { content: stored } }]);
      expect(repeated?.body).toEqual(sent?.body);
      expect(await contents(path)).toEqual([stored]);
    },
  );

  test("a rejected end of a streamed message leaves it cancelled and empty", async () => {
    const { send, path } = await createRoom(json({ action: "reject" }), {});
    const { body } = await send("unspeakable", undefined, { streaming: true });
    const message = `${path}/messages/${body.message_id}`;
    const finish = () => request("PUT", `${message}/finish`, { state: "done" }, `finish-${path}`);
    const ended = await finish();
    respond = accept;
    const repeated = await finish();
    const isReplayed = [ended, repeated].map(({ headers }) => headers.has("idempotent-replayed"));
    expect([ended.status, ...isReplayed]).toEqual([422, false, true]);
    expect(repeated.body).toMatchObject({ code: "message_rejected", check: "hook" });
    expect((await request("GET", message)).body).toMatchObject({ content: "", state: "cancelled" });
  });

  test("the end of a message whose writer has stopped is checked, also by a hook for users", async () => {
    const { send, path } = await createRoom(json({ action: "reject" }), { callers: "users" });
    const { message_id: id } = (await send("unspeakable", undefined, { streaming: true })).body;
    const text = "UPDATE message_chunks SET created_at = created_at - 70000 WHERE message_pk = $1";
    await first.db.query({ name: "test.expire", text }, [Number(id.split("-")[1])]);
    const read = async () => (await request("GET", `${path}/messages/${id}`)).body;
    await expect.poll(read, { timeout: 30_000 }).toMatchObject({ content: "", state: "cancelled" });
    expect(questions.map(({ event }) => event)).toMatchObject([
      { operation: "messages.finish", content: "unspeakable" },
    ]);
  });

  test("a change of a hook is in force on another process within a second, and so is its deletion", async () => {
    const { send, hook } = await createRoom(json({ action: "reject" }), {});
    await new Promise((done) => setTimeout(done, 1_000));
    expect((await send("Hi", undefined, {}, second.url)).status).toBe(422);
    await request("DELETE", `/hooks/${hook.hook_id}`);
    await new Promise((done) => setTimeout(done, 1_000));
    expect((await send("Hi", undefined, {}, second.url)).status).toBe(201);
  });

  test("for a day after a rotation, both secrets fit", async () => {
    const { send, hook } = await createRoom(accept, {});
    const rotated = (await request("POST", `/hooks/${hook.hook_id}/rotate`)).body;
    await send("Hi");
    const { headers = {}, text = "" } = questions[0] ?? {};
    for (const secret of [hook.secret, rotated.secret])
      expect(await verifyHook(secret, headers, text)).toMatchObject({ content: "Hi" });
  });
});

/** Each is a failure. */
const failures: Readonly<Record<string, Respond>> = {
  "does not respond": () => undefined,
  "is killed": (response) => response.socket?.destroy(),
  "is killed within its response": (response) => {
    response.writeHead(200, { "Content-Length": "1000" }).write("{", () => response.destroy());
  },
  "responds too late": (response) => {
    setTimeout(() => response.end('{"action": "accept"}'), 400).unref();
  },
  "responds byte by byte": (response) => {
    const timer = setInterval(() => response.write(" "), 50).unref();
    response.on("close", () => clearInterval(timer));
  },
  "has an error": (response) => response.writeHead(500).end('{"action": "accept"}'),
  redirects: (response) => response.writeHead(307, { Location: program.url }).end(),
  "responds without a body": (response) => response.end(),
  "responds with what is not JSON": (response) => response.end("accept"),
  "responds with invalid UTF-8": (response) =>
    response.end(Buffer.from('{"action": "accept"}\xff', "latin1")),
  "responds with another type": json([{ action: "accept" }]),
  "responds with an unknown action": json({ action: "ignore" }),
  "replaces nothing": json({ action: "replace" }),
  "replaces the content by a number": json({ action: "replace", content: 1 }),
  "replaces the content by nothing": json({ action: "replace", content: "" }),
  "replaces the content by too much": json({ action: "replace", content: "a".repeat(65_537) }),
  "replaces the content by what cannot be stored": json({ action: "replace", content: "a\0" }),
  "replaces parts by invalid ones": json({ action: "replace", parts: [{}] }),
  "replaces metadata by invalid one": json({ action: "replace", meta: { "1": "x" } }),
  "responds with a gigabyte": (response) => {
    const chunk = Buffer.alloc(2 ** 20, " ");
    let left = 1_024;
    const write = () => {
      while (left-- > 0) if (!response.write(chunk)) return response.once("drain", write);
      return response.end('{"action": "accept"}');
    };
    write();
  },
};

describe.each(Object.entries(failures))("a hook that %s", (_name, answer) => {
  test.each(["accept", "reject"])(
    "does with on_failure %s what that says, also for a repeated request",
    async (onFailure) => {
      const { send, path, hook } = await createRoom(answer, { timeout_ms: 250, on_failure: onFailure });
      const key = `failure-${path}`;
      const sent = await send("unspeakable", key);
      const isAccepted = onFailure === "accept";
      expect([sent.status, sent.body.code]).toEqual(
        isAccepted ? [201, undefined] : [503, "check_unavailable"],
      );
      if (!isAccepted) expect(sent.headers.get("retry-after")).toBe("1");
      const again = await send("unspeakable", key);
      expect(again.status).toBe(sent.status);
      if (isAccepted) expect(again.body).toEqual(sent.body);
      expect(questions.length).toBe(isAccepted ? 1 : 2);
      expect(await contents(path)).toEqual(isAccepted ? ["unspeakable"] : []);
      // Calls are stored within a second, whatever on_failure says.
      if (isAccepted) return;
      const readAttempts = async () => (await request("GET", `/hooks/${hook.hook_id}`)).body.attempts;
      const attempt = { operation: "messages.send", outcome: "failure", error: expect.any(String) };
      await expect.poll(readAttempts, { timeout: 5_000 }).toMatchObject([attempt, attempt]);
      expect(JSON.stringify(await readAttempts())).not.toContain("unspeakable");
    },
  );
});

test("a file message may get other metadata, but no text", async () => {
  const file = { type: "image/png", name: "a.png", url: "https://files.example.com/a", size: 1 };
  const { path, kim, room } = await createRoom(json({ action: "replace", meta: { seen: "yes" } }), {});
  const send = () => request("POST", `${path}/messages`, { user_id: kim, type: "file", file });
  expect((await send()).body.meta).toEqual({ seen: "yes" });
  expect(questions[0]?.event).toEqual({
    operation: "messages.send",
    channel_id: room,
    user_id: kim,
    content: "",
    file,
  });
  respond = json({ action: "replace", content: "text" });
  expect((await send()).body.code).toBe("check_unavailable");
});

test("a message may be left without a text if it has parts", async () => {
  const { send } = await createRoom(json({ action: "replace", content: "" }), {});
  expect((await send("Hi", undefined, { parts: [{ type: "card" }] })).body).toMatchObject({
    content: "",
    parts: [{ type: "card" }],
  });
});

test("at most 64 are asked at once, and a further one waits within its time", async () => {
  const held: ServerResponse[] = [];
  const { send, hook } = await createRoom((response) => held.push(response), { timeout_ms: 5_000 });
  const sends = Array.from({ length: 80 }, (_, index) => send(`${index}`));
  await expect.poll(() => held.length, { interval: 5 }).toBe(64);
  await new Promise((done) => setTimeout(done, 200));
  expect(held.length).toBe(64);
  respond = accept;
  for (const response of held) accept(response, {});
  const sent = await Promise.all(sends);
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
  await request("PUT", `/hooks/${hook.hook_id}`, { timeout_ms: 300 });
  respond = () => undefined;
  const late = await Promise.all(Array.from({ length: 70 }, (_, index) => send(`${index}`)));
  expect(new Set(late.map(({ body }) => body.code))).toEqual(new Set(["check_unavailable"]));
});

test("a user who sends many messages at once leaves calls of a slow hook to others, and none of them goes unchecked", async () => {
  const { path, kim, send } = await createRoom(() => undefined, { timeout_ms: 3_000, on_failure: "accept" });
  const key = await createToken(first.url, kim);
  const body = { user_id: kim, type: "text", content: "many" };
  const many = Array.from({ length: 100 }, () =>
    call(first.url, "POST", `/v1${path}/messages`, { key, body }),
  );
  await expect.poll(() => questions.length, { interval: 5 }).toBe(16);
  respond = json({ action: "reject" });
  expect((await send("other")).status).toBe(422);
  const sent = await Promise.all(many);
  // Those that the hook did not respond to are accepted, as on_failure says. On a busy machine, the last ones arrive after that.
  const count = (status: number) => sent.filter((one) => one.status === status).length;
  expect(count(201)).toBe(16);
  expect(count(429)).toBeGreaterThan(0);
  expect(count(429) + count(422)).toBe(84);
});

test("a text of which a hook leaves nothing does not pause it", async () => {
  const { send } = await createRoom(json({ action: "replace", content: "" }), { on_failure: "accept" });
  for (let count = 0; count < 11; count++) await send("https://ads.example.com");
  expect(questions.length).toBe(11);
});

test("a user whose messages make a hook fail does not pause it", async () => {
  const answer: Respond = (response, { content }) => {
    if (content === "bad") response.writeHead(500).end();
    else json({ action: "reject" })(response, {});
  };
  const { send } = await createRoom(answer, { on_failure: "accept" });
  for (let count = 0; count < 12; count++) expect((await send("bad")).status).toBe(201);
  expect((await send("Hi")).status).toBe(422);
});

test("ten failures in a row pause a hook: it is not asked, until it is changed", async () => {
  const { send, sendOfOther, hook } = await createRoom((response) => response.writeHead(500).end(), {});
  const path = `/hooks/${hook.hook_id}`;
  await sendOfOther("Hi");
  for (let count = 0; count < 9; count++) expect((await send("Hi")).headers.get("retry-after")).toBe("1");
  expect(questions.length).toBe(10);
  respond = accept;
  const paused = await send("Hi");
  expect([paused.status, questions.length]).toEqual([503, 10]);
  expect(Number(paused.headers.get("retry-after"))).toBeGreaterThan(25);
  const readPause = async () => (await request("GET", path)).body.paused_until;
  await expect.poll(readPause, { timeout: 5_000 }).toBeGreaterThan(Date.now() + 20_000);
  const metrics = await (await fetch(metricsUrlOf(first))).text();
  expect(metrics).toContain(`madang_hook_paused{hook="${hook.hook_id}"} 1`);
  expect(metrics).toContain(
    `madang_hook_call_duration_seconds_count{hook="${hook.hook_id}",outcome="failure"} 10`,
  );
  expect(metrics).toContain(
    `madang_hook_call_duration_seconds_count{hook="${hook.hook_id}",outcome="skipped"} 1`,
  );
  expect(first.logLines.join("")).toContain("a hook is paused");
  // Another process has seen no failure.
  await new Promise((done) => setTimeout(done, 600));
  expect((await send("Hi", undefined, {}, second.url)).status).toBe(201);
  await request("PUT", path, { on_failure: "accept" });
  expect((await send("Hi")).status).toBe(201);
  expect(await readPause()).toBeUndefined();
});

test("a paused hook with on_failure accept is skipped at once", async () => {
  const change = { timeout_ms: 100, on_failure: "accept" };
  const { send, sendOfOther, path } = await createRoom(() => undefined, change);
  await Promise.all([sendOfOther("Hi"), ...Array.from({ length: 9 }, () => send("Hi"))]);
  expect(questions.length).toBe(10);
  await send("Hi");
  expect(questions.length).toBe(10);
  expect((await contents(path)).length).toBe(11);
});

test("what a hook rejects is in no feed, search, log or row, and its secret is sealed", async () => {
  const { send, path, hook, room } = await createRoom((response, { content }) => {
    const isBad = String(content).includes("unutterable");
    response.end(JSON.stringify(isBad ? { action: "reject", reason: "No." } : { action: "accept" }));
  }, {});
  const { body } = await send("Hi");
  const message = `${path}/messages/${body.message_id}`;
  expect((await send("unutterable", `key-${room}`)).status).toBe(422);
  expect((await request("PUT", message, { content: "so unutterable" }, `edit-${room}`)).status).toBe(422);
  const begun = await send("Hi", undefined, { streaming: true });
  const streamed = `${path}/messages/${begun.body.message_id}`;
  const ending = { state: "done", content: "unutterable" };
  expect((await request("PUT", `${streamed}/finish`, ending, `finish-${room}`)).status).toBe(422);
  const many = { channel_ids: [room], user_id: body.user.user_id, type: "text", content: "unutterable" };
  expect((await request("POST", "/messages", many, `many-${room}`)).body.results[0].code).toBe(
    "message_rejected",
  );
  // A call is stored within a second.
  const readAttempts = async () => (await request("GET", `/hooks/${hook.hook_id}`)).body.attempts.length;
  await expect.poll(readAttempts, { timeout: 5_000 }).toBeGreaterThan(3);
  const found = await request("GET", "/messages/search?q=unutterable");
  expect(found.body.messages).toEqual([]);
  const feed = await request("GET", `/events?channel_id=${room}&limit=500`);
  expect(JSON.stringify(feed.body)).not.toContain("unutterable");
  const tables = await first.db.query<{ name: string }>({
    name: "test.tables",
    text: "SELECT quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'public'",
  });
  const secret = String(hook.secret);
  for (const { name } of tables)
    expect(
      await first.db.query(
        {
          name: `test.find-hooked-in-${name}`,
          text: `SELECT 1 FROM ${name} AS row WHERE row::text LIKE '%unutterable%' OR row::text LIKE $1`,
        },
        [`%${secret.slice(6)}%`],
      ),
    ).toEqual([]);
  for (const { logLines } of servers) expect(logLines.join("")).not.toMatch(/unutterable|whsec_/);
});

test("an address in the server's own network is rejected", async () => {
  const { status, body } = await request("POST", "/hooks", {
    url: "https://169.254.169.254/check",
    operations: ["messages.send"],
    callers: "all",
    on_failure: "accept",
  });
  expect([status, body.errors]).toMatchObject([400, [{ in: "body", path: "url" }]]);
});
