import { connect } from "node:net";
import { afterAll, expect, test } from "vitest";
import { call, type Reply } from "../../../test/support/call";
import { masterKey, startServer } from "../../../test/support/server";

const limit = 5;
const settings = { MADANG_AUTH_FAILURE_LIMIT: `${limit}/60s`, MADANG_TRUSTED_PROXIES: "1" };
const server = await startServer({ settings });
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

const limited = [401, 401, 401, 401, 401, 429, 429, 429];

test("after five wrong keys, an address must wait, and other addresses need not", async () => {
  expect(await guess("192.0.2.1")).toEqual(limited);
  const { headers, body } = await from("192.0.2.1", "mk_wrong");
  expect(body.code).toBe("rate_limited");
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await from("192.0.2.2", "mk_wrong")).status).toBe(401);
});

test("a valid key is accepted from an address that sends wrong keys, the first time too", async () => {
  const { body } = await call(server.url, "POST", "/v1/applications/keys");
  expect(await guess("192.0.2.3")).toEqual(limited);
  expect((await from("192.0.2.3")).status).toBe(200);
  expect((await from("192.0.2.3", body.key)).status).toBe(200);
});

test("a deleted sub key is not counted: it gets 401 however often it is sent", async () => {
  const { body } = await call(server.url, "POST", "/v1/applications/keys");
  await call(server.url, "DELETE", "/v1/applications/keys", { body: { key: body.key } });
  for (let count = 0; count < 8; count++) expect((await from("192.0.2.5", body.key)).status).toBe(401);
  expect((await from("192.0.2.5", "mk_wrong")).status).toBe(401);
});

test("all addresses of one IPv6 network count together", async () => {
  await guess("2001:db8::1");
  expect((await from("2001:db8::ffff:2", "mk_wrong")).status).toBe(429);
  expect((await from("2001:db8:0:1::1", "mk_wrong")).status).toBe(401);
});

test("ports and brackets that a proxy adds do not make a new address", async () => {
  const statuses: number[] = [];
  for (const port of [1, 2, 3, 4, 5, 6]) statuses.push((await from(`192.0.2.6:${port}`, "mk_wrong")).status);
  expect(statuses).toEqual(limited.slice(0, 6));
  await guess("[2001:db8:0:2::1]:1");
  expect((await from("[2001:db8:0:2::1]:2", "mk_wrong")).status).toBe(429);
});

test("pipelined and concurrent requests get no more guesses than the limit", async () => {
  const request = `GET /v1/users HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\nAuthorization: Bearer mk_wrong\r\n\r\n`;
  const send = (connection: "keep-alive" | "close") =>
    request.replace("Host", `Connection: ${connection}\r\nHost`);
  const received = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.write(send("keep-alive").repeat(99) + send("close"));
      let text = "";
      for await (const chunk of socket) text += chunk;
      return text;
    }),
  );
  const statuses = [...received.join("").matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status);
  expect(statuses.filter((status) => status === "401")).toHaveLength(limit);
  expect(statuses.filter((status) => status === "429")).toHaveLength(300 - limit);
  expect((await from("192.0.2.7", masterKey)).status).toBe(200);
});
