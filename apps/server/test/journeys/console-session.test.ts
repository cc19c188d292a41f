import { setTimeout as sleep } from "node:timers/promises";
import { auditedOperations } from "@madang/contract";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { call, type Reply } from "../support/call";
import { cookieOf, requestSession, sendAs, signIn } from "../support/console";
import { expectWithinIfLong } from "../support/report";
import {
  masterKey,
  type ServerOptions,
  startServer,
  startServerOn,
  type TestServer,
} from "../support/server";

/** Another process of the same service. */
const server = await startServer();
const peer = await startServerOn(server.databaseUrl);
afterAll(async () => {
  await peer.close();
  await server.close();
});

const users = (at = server) => `${at.url}/v1/users`;
const session = (at = server) => `${at.url}/console/session`;
const statusOf = async (response: Promise<Response>) => (await response).status;
const bodyOf = async (response: Promise<Response>): Promise<Reply["body"]> => (await response).json();

const createKey = async (body: object = {}): Promise<string> =>
  (await call(server.url, "POST", "/v1/applications/keys", { body })).body.key;
const deleteKey = (key: string) => call(server.url, "DELETE", "/v1/applications/keys", { body: { key } });

const json = { "Content-Type": "application/json" };
const newUser = (user_id: string) => ({
  method: "POST",
  headers: json,
  body: JSON.stringify({ user_id, name: "Kim" }),
});

/** Another server on the same database, for one test. */
async function startPeer(options: ServerOptions): Promise<TestServer> {
  const other = await startServerOn(server.databaseUrl, options);
  onTestFinished(() => other.close());
  return other;
}

/** Signs in to a server behind a proxy that browsers reach by HTTPS. */
async function signInByHttps(actor = "Jane Doe"): Promise<string> {
  return cookieOf(
    await requestSession(server.url, { key: masterKey, actor }, { Origin: "https://chat.example.com" }),
  );
}

/** How long after `act` the response to a request that waits has ended. */
async function timeEnd(waiting: Promise<Response>, act: () => Promise<unknown>): Promise<number> {
  const ended = waiting.then((response) => response.text()).then(() => performance.now());
  await sleep(700);
  await act();
  const actedAt = performance.now();
  return (await ended) - actedAt;
}

describe("signing in", () => {
  test("sets a cookie that no script can read and no page of another site can send", async () => {
    const response = await requestSession(server.url);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^madang-console-[0-9a-f]{8}=[\w-]{100,}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test.each(["https://chat.example.com", "https://localhost", "null"])(
    "from %s sets a cookie for HTTPS only, which no other host of the domain can set",
    async (origin) => {
      const [cookie] = (
        await requestSession(server.url, undefined, { Origin: origin })
      ).headers.getSetCookie();
      expect(cookie).toMatch(/^__Host-madang-console-[^;]+; .*HttpOnly; Secure; SameSite=Strict$/);
      expect(cookie).not.toContain("Domain=");
    },
  );

  test.each(["http://localhost:3000", "http://127.0.0.2", "http://[::1]:3000"])(
    "from %s, which is the machine itself, needs no HTTPS",
    async (origin) => {
      const [cookie] = (
        await requestSession(server.url, undefined, { Origin: origin })
      ).headers.getSetCookie();
      expect(cookie).not.toContain("Secure");
    },
  );

  test("from another address without HTTPS is rejected, because browsers would not send the cookie", async () => {
    const response = await requestSession(server.url, undefined, { Origin: "http://10.0.0.5:3000" });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ in: "header", path: "origin" }] });
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test.each([
    ["no body", undefined, ""],
    ["no name", { key: masterKey }, "actor"],
    ["an empty name", { key: masterKey, actor: "" }, "actor"],
    ["a blank name", { key: masterKey, actor: " \u3000" }, "actor"],
    ["a name of 81 characters", { key: masterKey, actor: "김".repeat(81) }, "actor"],
    ["a name with a lone surrogate", { key: masterKey, actor: "\ud800" }, "actor"],
    ["a name with a line break", { key: masterKey, actor: "Jane\nMallory" }, "actor"],
    ["a name that changes the direction of text", { key: masterKey, actor: "Jane\u202e" }, "actor"],
    ["no key", { actor: "Jane" }, "key"],
    ["a key that is no text", { key: 1, actor: "Jane" }, "key"],
    ["an unknown field", { key: masterKey, actor: "Jane", admin: true }, "admin"],
  ])("with %s is rejected", async (_, body, path) => {
    const response = await (body === undefined
      ? fetch(session(), {
          method: "POST",
          headers: { "X-Madang-Console": "1", "Sec-Fetch-Site": "same-origin" },
        })
      : requestSession(server.url, body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", errors: [{ in: "body", path }] });
  });

  test("with a body that is no JSON, or too large, is rejected", async () => {
    const send = (type: string, body: string) =>
      statusOf(requestSession(server.url, body, { "Content-Type": type }));
    expect(await send("text/plain", "x")).toBe(415);
    expect(await bodyOf(requestSession(server.url, "x".repeat(5_000)))).toMatchObject({
      code: "payload_too_large",
      detail: "The body is larger than 4,096 bytes.",
    });
  });

  test("with a name of 80 characters is possible, and a key in it is masked", async () => {
    const actor = "김".repeat(80);
    expect(await bodyOf(sendAs(await signIn(server.url, masterKey, actor), session()))).toMatchObject({
      actor,
    });
    const mistaken = await signIn(server.url, masterKey, masterKey);
    expect(await bodyOf(sendAs(mistaken, session()))).toMatchObject({ actor: "…" });
  });

  test("with a wrong or a deleted key is rejected, and sets no cookie", async () => {
    const deleted = await createKey();
    await deleteKey(deleted);
    for (const key of ["wrong", deleted, `${masterKey}x`]) {
      const response = await requestSession(server.url, { key, actor: "Jane" });
      expect(response.status).toBe(401);
      expect(response.headers.getSetCookie()).toEqual([]);
      const body = await response.text();
      expect(JSON.parse(body)).toMatchObject({ code: "unauthenticated" });
      expect(body).not.toContain(key);
    }
  });

  test("with wrong keys counts toward the limit of the address", async () => {
    const limited = await startPeer({ settings: { MADANG_AUTH_FAILURE_LIMIT: "3/60s" } });
    const attempts = [];
    for (let count = 0; count < 4; count += 1)
      attempts.push(await statusOf(requestSession(limited.url, { key: `wrong ${count}`, actor: "Jane" })));
    expect(attempts).toEqual([401, 401, 401, 429]);
    expect((await call(limited.url, "GET", "/v1/users", { key: "wrong" })).status).toBe(429);
    expect(await statusOf(requestSession(limited.url))).toBe(204);
  });
});

describe("a session", () => {
  test("shows who signed in, and with what", async () => {
    expect(await bodyOf(sendAs(await signIn(server.url), session()))).toEqual({
      actor: "Jane Doe",
      expires_at: expect.any(Number),
      kind: "master",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      audited_operations: auditedOperations,
      can_send_as_users: true,
      operations: expect.objectContaining({ "users.get": "permitted", "keys.list": "permitted" }),
    });
    const expires_at = Date.now() + 60_000;
    const key = await createKey({ scopes: ["read"], label: "support", expires_at });
    expect(await bodyOf(sendAs(await signIn(server.url, key), session()))).toEqual({
      actor: "Jane Doe",
      expires_at: expect.any(Number),
      kind: "sub",
      key_id: expect.stringMatching(/^key_/),
      label: "support",
      scopes: ["read"],
      key_expires_at: expires_at,
      version: expect.any(String),
      audited_operations: auditedOperations,
      can_send_as_users: false,
      operations: expect.objectContaining({
        "users.get": "permitted",
        "users.delete": "scope_missing",
        "messages.searchAll": "scope_missing",
        "keys.list": "master_key_required",
      }),
    });
    await deleteKey(key);
  });

  test("is accepted by every process of the service", async () => {
    const cookie = await signIn(server.url);
    expect(await statusOf(sendAs(cookie, users(peer)))).toBe(200);
    expect(await statusOf(sendAs(cookie, session(peer)))).toBe(200);
  });

  test("has the rights of its key, and no others", async () => {
    const key = await createKey({ scopes: ["read"] });
    const cookie = await signIn(server.url, key);
    expect(await statusOf(sendAs(cookie, users()))).toBe(200);
    expect(await bodyOf(sendAs(cookie, users(), newUser("beyond_scope")))).toMatchObject({
      status: 403,
      code: "scope_missing",
    });
    expect(await bodyOf(sendAs(cookie, `${server.url}/v1/applications/keys`))).toMatchObject({
      status: 403,
      code: "master_key_required",
    });
    expect((await call(server.url, "GET", "/v1/users/beyond_scope")).status).toBe(404);
    await deleteKey(key);
  });

  test("does not stand in for an API key that was sent", async () => {
    const cookie = await signIn(server.url);
    const headers = { Authorization: "Bearer wrong" };
    expect(await statusOf(sendAs(cookie, users(), { headers }))).toBe(401);
  });

  test("ends after twelve hours, on every process", async () => {
    let clock = Date.now();
    const other = await startPeer({ now: () => clock });
    const cookie = await signIn(other.url);
    clock += 12 * 3_600_000 - 1;
    expect(await statusOf(sendAs(cookie, users(other)))).toBe(200);
    clock += 1;
    expect(await statusOf(sendAs(cookie, users(other)))).toBe(401);
    expect(await statusOf(sendAs(cookie, session(other)))).toBe(401);
  });
});

describe("a request that another page may have sent (CSRF)", () => {
  const marks = { "X-Madang-Console": "1" };
  test.each<[string, Record<string, string>]>([
    ["a form or an image, without the header", { "Sec-Fetch-Site": "same-origin" }],
    ["another value of the header", { "X-Madang-Console": "true", "Sec-Fetch-Site": "same-origin" }],
    ["another site", { ...marks, "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" }],
    ["another port of this host", { ...marks, "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:1" }],
    ["an address that was typed", { ...marks, "Sec-Fetch-Site": "none" }],
    ["another site that claims this origin", { ...marks, "Sec-Fetch-Site": "cross-site", Origin: "own" }],
    ["another origin, in an old browser", { ...marks, Origin: "https://evil.example" }],
    ["another port, in an old browser", { ...marks, Origin: "http://127.0.0.1:1" }],
    ["another scheme, in an old browser", { ...marks, Origin: "https own" }],
    ["a page without an origin", { ...marks, Origin: "null" }],
    ["no mark of a browser", marks],
  ])("is rejected: %s", async (_, sent) => {
    const { Origin: origin, ...others } = sent;
    const own =
      { own: server.url, "https own": server.url.replace("http:", "https:") }[origin ?? ""] ?? origin;
    const Cookie = await signIn(server.url);
    const headers = { ...others, ...(own !== undefined && { Origin: own }), Cookie, ...json };
    const body = JSON.stringify({ user_id: "forged_01", name: "Kim" });
    const form = { ...headers, "Content-Type": "application/x-www-form-urlencoded" };
    const requests = [
      fetch(users(), { headers }),
      fetch(users(), { method: "POST", headers, body }),
      fetch(users(), { method: "POST", headers: form, body: "user_id=forged_01&name=Kim" }),
      fetch(`${users()}/forged_01`, { method: "DELETE", headers }),
      fetch(`${server.url}/v1/events/stream`, { headers }),
      fetch(session(), { headers }),
      fetch(session(), { method: "DELETE", headers }),
      fetch(session(), {
        method: "POST",
        headers,
        body: JSON.stringify({ key: masterKey, actor: "Mallory" }),
      }),
    ];
    for (const request of requests) {
      const response = await request;
      expect(await response.json()).toMatchObject({ status: 403, code: "cross_origin_request" });
      expect(response.headers.getSetCookie()).toEqual([]);
    }
    expect((await call(server.url, "GET", "/v1/users/forged_01")).status).toBe(404);
    expect(await statusOf(sendAs(Cookie, session()))).toBe(200);
  });

  test("is accepted only from the own origin, also from a browser that does not send Sec-Fetch-Site", async () => {
    const Cookie = await signIn(server.url);
    expect(await statusOf(fetch(users(), { headers: { ...marks, Cookie, Origin: server.url } }))).toBe(200);
    expect(await statusOf(sendAs(Cookie, users()))).toBe(200);
  });

  test("cannot be asked for: no response permits another origin", async () => {
    const Cookie = await signIn(server.url);
    const asked = { Origin: "https://evil.example", "Access-Control-Request-Headers": "x-madang-console" };
    for (const path of ["/v1/users", "/console/session", "/console"]) {
      const options = await fetch(server.url + path, { method: "OPTIONS", headers: { ...asked, Cookie } });
      const read = await fetch(server.url + path, { headers: { ...asked, Cookie } });
      for (const { headers } of [options, read])
        expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    }
  });

  test("without a cookie needs a key, as ever", async () => {
    expect(await statusOf(sendAs("", users()))).toBe(401);
    expect(await statusOf(sendAs("", session()))).toBe(401);
  });
});

describe("a cookie", () => {
  test("of a server with another database is not accepted, with the same master key", async () => {
    const other = await startServer();
    onTestFinished(() => other.close());
    const [name = "", value = ""] = (await signIn(other.url)).split("=");
    const [ownName = ""] = (await signIn(server.url)).split("=");
    expect(name).not.toBe(ownName);
    for (const cookie of [`${name}=${value}`, `${ownName}=${value}`]) {
      expect(await statusOf(sendAs(cookie, users()))).toBe(401);
      expect(await statusOf(sendAs(cookie, session()))).toBe(401);
    }
  });

  test("that was changed or made up is not accepted", async () => {
    const [name = "", value = ""] = (await signIn(server.url)).split("=");
    const flipped = value.replace(/.$/, (last) => (last === "A" ? "Q" : "A"));
    for (const wrong of ["", "x", flipped, value.slice(0, -4), `${value}AAAA`, "A".repeat(value.length)])
      expect(await statusOf(sendAs(`${name}=${wrong}`, users()))).toBe(401);
  });

  test("does not contain the key, not even encoded", async () => {
    const key = await createKey();
    for (const each of [key, masterKey]) {
      const [, value = ""] = (await signIn(server.url, each)).split("=");
      const forms = [value, Buffer.from(value, "base64url").toString("latin1")];
      const secrets = [
        each.slice(3, 24),
        Buffer.from(each.slice(3), "base64url").toString("latin1").slice(0, 12),
      ];
      for (const form of forms) for (const secret of secrets) expect(form).not.toContain(secret);
    }
    await deleteKey(key);
  });
});

describe("session fixation", () => {
  test("signing in makes a new session, and ends the one that the browser had", async () => {
    const planted = await signIn(server.url, masterKey, "Mallory");
    const own = cookieOf(
      await requestSession(server.url, { key: masterKey, actor: "Jane" }, { Cookie: planted }),
    );
    expect(own).not.toBe(planted);
    expect(await statusOf(sendAs(planted, users()))).toBe(401);
    expect(await bodyOf(sendAs(own, session()))).toMatchObject({ actor: "Jane" });
  });

  test("a session by HTTPS is not accepted from a cookie that a page without HTTPS can set", async () => {
    const secure = await signInByHttps();
    expect(await statusOf(sendAs(secure, users()))).toBe(200);
    expect(await statusOf(sendAs(secure.replace("__Host-", ""), users()))).toBe(401);
    expect(await statusOf(sendAs(`__Host-${await signIn(server.url)}`, users()))).toBe(401);
  });

  test("a planted cookie does not take the place of that of HTTPS", async () => {
    const planted = await signIn(server.url, masterKey, "Mallory");
    const own = await signInByHttps("Jane");
    for (const both of [`${planted}; ${own}`, `${own}; ${planted}`])
      expect(await bodyOf(sendAs(both, session()))).toMatchObject({ actor: "Jane" });
  });

  test("of two cookies with one name, none is accepted", async () => {
    const [first, second] = [await signIn(server.url), await signIn(server.url, masterKey, "Mallory")];
    expect(await statusOf(sendAs(`${first}; ${second}`, users()))).toBe(401);
    expect(await statusOf(sendAs(`${second}; ${first}`, users()))).toBe(401);
  });
});

describe("signing out", () => {
  test("removes the cookie, and ends the session on every process", async () => {
    const cookie = await signIn(server.url);
    const copies = [server, peer].map((each) => () => statusOf(sendAs(cookie, users(each))));
    for (const send of copies) expect(await send()).toBe(200);
    const response = await sendAs(cookie, session(), { method: "DELETE" });
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-madang-console-\w+=; .*Expires=Thu, 01 Jan 1970 .*Secure; SameSite=Strict$/,
      ),
      expect.stringMatching(/^madang-console-\w+=; .*Expires=Thu, 01 Jan 1970 .*HttpOnly; SameSite=Strict$/),
    ]);
    for (const send of copies) expect(await send()).toBe(401);
    expect(await statusOf(sendAs(cookie, session()))).toBe(401);
  });

  test("ends no other session, and twice is the same as once", async () => {
    const [cookie, other] = [await signIn(server.url), await signIn(server.url)];
    for (const each of [cookie, cookie, ""])
      expect(await statusOf(sendAs(each, session(), { method: "DELETE" }))).toBe(204);
    expect(await statusOf(sendAs(other, users()))).toBe(200);
  });

  test.each([
    ["a stream", "/v1/events/stream?after=latest"],
    ["a list that waits", "/v1/events?after=latest&wait=20"],
  ])("ends %s within a second, and those of no other session", async (_, path) => {
    const [cookie, other] = [await signIn(server.url), await signIn(server.url)];
    const leave = new AbortController();
    const otherEnded = sendAs(other, peer.url + path, { signal: leave.signal })
      .then((response) => response.text())
      .then(
        () => "ended",
        () => "left",
      );
    const tookMs = await timeEnd(sendAs(cookie, peer.url + path), () =>
      sendAs(cookie, session(), { method: "DELETE" }),
    );
    expectWithinIfLong(1_000, tookMs);
    await sleep(1_000);
    leave.abort();
    expect(await otherEnded).toBe("left");
  });

  test("is forgotten a day after the cookie would have expired", async () => {
    const cookie = await signIn(server.url);
    await sendAs(cookie, session(), { method: "DELETE" });
    expect(await server.db.prisma.endedSession.count()).toBeGreaterThan(0);
    await server.db.query({
      name: "test.make-older",
      text: "UPDATE ended_sessions SET expires_at = expires_at - 37 * 3600000 RETURNING 1",
    });
    const restarted = await startPeer({ hasBackgroundTasks: true });
    await expect.poll(() => restarted.db.prisma.endedSession.count()).toBe(0);
  });

  test("ends the session although a process has a clock that is two days ahead", async () => {
    const cookie = await signIn(server.url);
    await sendAs(cookie, session(), { method: "DELETE" });
    await server.db.prisma.endedSession.create({ data: { id: "old", expiresAt: 0 } });
    await startPeer({ now: () => Date.now() + 48 * 3_600_000, hasBackgroundTasks: true });
    // Its job has run.
    await expect.poll(() => server.db.prisma.endedSession.findUnique({ where: { id: "old" } })).toBeNull();
    expect(await statusOf(sendAs(cookie, users()))).toBe(401);
  });
});

describe("when its key ends, a session ends within a second", () => {
  const waiting = "/v1/events/stream?after=latest";
  test.each([
    ["is deleted", async () => ({ key: await createKey(), end: deleteKey })],
    [
      "expires",
      async () => {
        const expires_at = Date.now() + 5_000;
        return { key: await createKey({ expires_at }), end: () => sleep(expires_at - Date.now()) };
      },
    ],
    [
      "is replaced by another one",
      async () => ({
        key: await createKey({ label: "console" }),
        end: async (key: string) => {
          const replacement = await createKey({ label: "console" });
          await deleteKey(key);
          onTestFinished(() => deleteKey(replacement).then(() => undefined));
        },
      }),
    ],
  ])("when it %s", async (_, prepare) => {
    const { key, end } = await prepare();
    const cookie = await signIn(server.url, key);
    expect(await statusOf(sendAs(cookie, users(peer)))).toBe(200);
    const tookMs = await timeEnd(sendAs(cookie, peer.url + waiting), () => end(key));
    expectWithinIfLong(1_000, tookMs);
    for (const at of [server, peer]) {
      await expect.poll(() => statusOf(sendAs(cookie, users(at)))).toBe(401);
      expect(await statusOf(sendAs(cookie, session(at)))).toBe(401);
    }
    await deleteKey(key);
  });
});

test("a session of the previous master key ends with the change of the key", async () => {
  const previous = "mk_previous-only-for-tests-01";
  const changing = await startPeer({ settings: { MADANG_MASTER_KEY_PREVIOUS: previous } });
  const cookie = await signIn(changing.url, previous);
  expect(await statusOf(sendAs(cookie, users(changing)))).toBe(200);
  expect(await statusOf(sendAs(await signIn(changing.url), users()))).toBe(200);
  expect(await statusOf(sendAs(cookie, users()))).toBe(401);
  expect(await statusOf(sendAs(cookie, session()))).toBe(401);
});

describe("the audit log", () => {
  const listEntries = async (query: string) =>
    (await call(server.url, "GET", `/v1/audit?${query}`)).body.entries as Record<string, unknown>[];

  test("has what is done in the console under the name of the person", async () => {
    const cookie = await signIn(server.url, masterKey, "박지성");
    const headers = { ...json, "X-Madang-Actor": "Mallory", "X-Madang-Reason": "ticket 4711" };
    await sendAs(cookie, users(), { ...newUser("audited_01"), headers });
    await sendAs(cookie, `${users()}/audited_01`);
    await sendAs(cookie, `${users()}/nobody_01`);
    await sendAs(cookie, session(), { method: "DELETE" });
    const common = { kind: "console", actor: "박지성" };
    const entries = (await listEntries("limit=100")).filter(({ actor }) => actor === "박지성");
    expect(entries).toMatchObject([
      { ...common, operation: "console.signOut", method: "DELETE", status: 204 },
      { ...common, operation: "users.get", status: 404, code: "user_not_found" },
      { ...common, operation: "users.get", user_id: "audited_01", status: 200 },
      { ...common, operation: "users.create", user_id: "audited_01", status: 201, reason: "ticket 4711" },
      { ...common, operation: "console.signIn", method: "POST", status: 204 },
    ]);
    expect(entries.every((entry) => !("key_id" in entry))).toBe(true);
    for (const operation of ["console.signIn", "console.signOut"]) {
      const found = await listEntries(`operation=${operation}&limit=100`);
      expect(found.filter(({ actor }) => actor === "박지성")).toMatchObject([{ operation }]);
    }
  });

  test("names the sub key as well", async () => {
    const key = await createKey();
    const cookie = await signIn(server.url, key, "Sub Person");
    const { key_id } = await bodyOf(sendAs(cookie, session()));
    await sendAs(cookie, users(), newUser("audited_02"));
    expect(await listEntries(`key_id=${key_id}&operation=users.create`)).toMatchObject([
      { kind: "console", actor: "Sub Person", key_id, user_id: "audited_02" },
    ]);
    await deleteKey(key);
  });

  test("has nothing of the console with MADANG_AUDIT=off", async () => {
    const other = await startPeer({ settings: { MADANG_AUDIT: "off" } });
    const cookie = await signIn(other.url, masterKey, "Nobody");
    await sendAs(cookie, users(other), newUser("audited_03"));
    expect((await listEntries("limit=100")).filter(({ actor }) => actor === "Nobody")).toEqual([]);
  });
});

test("no key is in a log line or in a response", async () => {
  const key = await createKey();
  const texts: string[] = [];
  const keep = async (response: Promise<Response>) => {
    const { headers, ...rest } = await response;
    texts.push(JSON.stringify([...headers]), await (await response).text(), JSON.stringify(rest));
  };
  const cookie = await signIn(server.url, key);
  await keep(requestSession(server.url, { key, actor: key }));
  await keep(requestSession(server.url, { key: `${key}x`, actor: "Jane" }));
  await keep(requestSession(server.url, { key, actor: "", more: key }));
  await keep(requestSession(server.url, `{"key": "${key}`, {}));
  await keep(sendAs(cookie, session()));
  await keep(sendAs(cookie, `${session()}?key=${key}`));
  await keep(sendAs(cookie, `${server.url}/console/${key}`));
  const secret = key.slice(3, 24);
  for (const text of [...texts, ...server.logLines]) expect(text).not.toContain(secret);
  expect(server.logLines.some((line) => line.includes("console.signIn"))).toBe(true);
  await deleteKey(key);
});

test("below a path of a host, what a browser gets has the path, and a path that is not known is a warning", async () => {
  const below = await startPeer({
    settings: { MADANG_CONSOLE: "on", MADANG_PUBLIC_URL: "https://example.com/chat/" },
  });
  // A browser test has the page itself, which is not built before these tests.
  const secure = await requestSession(below.url, undefined, { Origin: "https://example.com" });
  expect(secure.headers.get("set-cookie")).toMatch(/^__Secure-madang-.*; Path=\/chat;/);
  expect(await bodyOf(fetch(`${below.url}/chat/v1/users`))).toMatchObject({
    type: "/chat/docs#unauthenticated",
  });
  // No part of the path is guessed.
  expect(await statusOf(fetch(`${below.url}/chats/v1/users`))).toBe(404);

  const findWarnings = () => below.logLines.filter((line) => line.includes("below a path"));
  const withPrefix = (path: string) =>
    fetch(`${below.url}/healthz`, { headers: { "X-Forwarded-Prefix": path } });
  await withPrefix("/chat/");
  expect(findWarnings()).toEqual([]);
  for (let count = 0; count < 2; count++) await withPrefix("/talk");
  expect(findWarnings()).toHaveLength(1);

  const proxied = await startPeer({ settings: { MADANG_TRUSTED_PROXIES: "1" } });
  expect(proxied.logLines.join("")).toContain("MADANG_PUBLIC_URL is missing");
});

describe("MADANG_CONSOLE=off", () => {
  test("has no page and no sessions, and accepts no cookie", async () => {
    const cookie = await signIn(server.url);
    const off = await startPeer({ settings: { MADANG_CONSOLE: "off" } });
    for (const path of [
      "/console",
      "/console/",
      "/console/users",
      "/console/session",
      "/console/assets/index.js",
    ])
      expect(await bodyOf(sendAs(cookie, off.url + path))).toMatchObject({
        status: 404,
        code: "route_not_found",
      });
    for (const method of ["POST", "DELETE"])
      expect(await statusOf(sendAs(cookie, session(off), { method }))).toBe(404);
    expect(await statusOf(sendAs(cookie, users(off)))).toBe(401);
    expect((await call(off.url, "GET", "/v1/users")).status).toBe(200);
  });
});
