import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { version } from "../../../package.json";
import { call } from "../../../test/support/call";
import { masterKey, startServer } from "../../../test/support/server";

let clock = Date.now();
const server = await startServer({ now: () => clock });
afterAll(() => server.close());

test.each([
  [masterKey, version],
  ["mk_wrong", null],
])("the response to the key %s has the version %s", async (key, expected) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/v1/users`, { headers });
  expect(response.headers.get("Madang-Version")).toBe(expected);
});

test.each([
  ["revoked", (key: string) => call(server.url, "DELETE", "/v1/applications/keys", { body: { key } })],
  [
    "expired",
    async () => {
      clock += 60_000;
    },
  ],
])("a key that is %s while the body of a request arrives changes nothing", async (how, end) => {
  const body = { expires_at: clock + 60_000 };
  const { key } = (await call(server.url, "POST", "/v1/applications/keys", { body })).body;
  const user = JSON.stringify({ user_id: `late_${how}`, name: "Late" });
  const sent = request(`${server.url}/v1/users`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "content-length": user.length,
      // The server asks for the body after it has checked the key.
      expect: "100-continue",
    },
  });
  const responded = once(sent, "response");
  sent.flushHeaders();
  await once(sent, "continue");
  await end(key);
  sent.end(user);
  const [response] = (await responded) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(401);
  expect((await call(server.url, "GET", `/v1/users/late_${how}`)).status).toBe(404);
});
