import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Reply } from "../../test/support/call";
import { startServer, type TestServer } from "../../test/support/server";
import { createAddressBrake } from "./address-brake";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    addressBrake: createAddressBrake({ requests: 5, seconds: 60 }),
    trustedProxies: 1,
  });
});
afterAll(() => server.close());

function from(address: string, key?: string): Promise<Reply> {
  const headers = { "X-Forwarded-For": address };
  return call(server.url, "GET", "/v1/users", key === undefined ? { headers } : { headers, key });
}

async function guess(address: string): Promise<number[]> {
  const replies: number[] = [];
  for (let count = 0; count < 8; count++) replies.push((await from(address, `mk_wrong-${count}`)).status);
  return replies;
}

test("after five wrong keys an address is told to wait, and even the right key is not told apart", async () => {
  expect(await guess("192.0.2.1")).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  const right = await from("192.0.2.1");
  expect(right).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  expect(Number(right.headers.get("Retry-After"))).toBeGreaterThan(0);
});

test("other addresses go on, and so does the right key where it came from before", async () => {
  expect((await from("192.0.2.2")).status).toBe(200);
  await guess("192.0.2.2");
  expect((await from("192.0.2.2")).status).toBe(200);
  expect((await from("192.0.2.3")).status).toBe(200);
});

test("a deleted sub key is no guess: it is refused with 401 however often it comes", async () => {
  const { body } = await call(server.url, "POST", "/v1/applications/keys", {
    headers: { "X-Forwarded-For": "192.0.2.4" },
  });
  expect((await from("192.0.2.5", body.key)).status).toBe(200);
  await call(server.url, "DELETE", "/v1/applications/keys", {
    headers: { "X-Forwarded-For": "192.0.2.4" },
    body: { key: body.key },
  });
  for (let count = 0; count < 8; count++) expect((await from("192.0.2.5", body.key)).status).toBe(401);
});

test("all addresses of one IPv6 network count together", async () => {
  await guess("2001:db8::1");
  expect((await from("2001:db8::ffff:2", "mk_wrong")).status).toBe(429);
  expect((await from("2001:db8:0:1::1", "mk_wrong")).status).toBe(401);
});
