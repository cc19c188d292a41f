import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "../support/call";
import { cookieOf, requestSession, sendAs, signIn } from "../support/console";
import { startServer, type TestServer } from "../support/server";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const usersUrl = () => `${server.url}/v1/users`;
const sessionUrl = () => `${server.url}/console/session`;

const createKey = async (body?: unknown): Promise<string> =>
  (await call(server.url, "POST", "/v1/applications/keys", body === undefined ? {} : { body })).body.key;

describe("a session", () => {
  test("is in a cookie that no script can read and no other site can send", async () => {
    const response = await requestSession(server.url);
    expect(response.status).toBe(204);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^madang-console=[\w-]{100,}; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
    ]);
  });

  test("shows who signed in, until it is signed out", async () => {
    const cookie = await signIn(server.url);
    const shown = await sendAs(cookie, sessionUrl());
    expect(shown.status).toBe(200);
    expect(await shown.json()).toEqual({
      actor: "Jane Doe",
      expires_at: expect.any(Number),
      kind: "master",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    const left = await sendAs(cookie, sessionUrl(), { method: "DELETE" });
    expect(left.status).toBe(204);
    expect(cookieOf(left)).toContain("madang-console=;");
    expect((await sendAs(cookie, sessionUrl())).status).toBe(401);
    expect((await sendAs(cookie, usersUrl())).status).toBe(401);
  });

  test("has the rights of its key", async () => {
    const cookie = await signIn(server.url, await createKey({ scopes: ["read"], label: "support" }));
    expect(await (await sendAs(cookie, sessionUrl())).json()).toMatchObject({
      kind: "sub",
      scopes: ["read"],
      label: "support",
    });
    expect((await sendAs(cookie, usersUrl())).status).toBe(200);
    const created = await sendAs(cookie, usersUrl(), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ user_id: "kim_01", name: "Kim" }),
    });
    expect(created.status).toBe(403);
    expect(await created.json()).toMatchObject({ code: "scope_missing" });
  });
});
