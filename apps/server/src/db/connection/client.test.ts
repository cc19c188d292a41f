import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { postgresUrl } from "../../../test/support/database";
import { startPostgresProxy } from "../../../test/support/postgres-proxy";
import { clientClassFor } from "./client";

const postgres = await postgresUrl();

const password = "a-secret-password";
let server: Server | undefined;
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** A PostgreSQL protocol message: type, length and payload. */
const message = (letter: string, ...parts: (number | string)[]) => {
  const bytes = Buffer.concat(
    parts.map((part) => {
      if (typeof part === "string") return Buffer.from(part);
      const number = Buffer.alloc(4);
      number.writeInt32BE(part);
      return number;
    }),
  );
  const length = Buffer.alloc(4);
  length.writeInt32BE(bytes.length + 4);
  return Buffer.concat([Buffer.from(letter), length, bytes]);
};

/** A server in place of PostgreSQL that sends `response` after the first message. */
async function startImpostor(response: Buffer): Promise<{ url: string; received: Buffer[] }> {
  const received: Buffer[] = [];
  const impostor = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => received.push(bytes));
    socket.once("data", () => socket.write(response));
  });
  server = impostor;
  await new Promise<void>((resolve) => impostor.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = impostor.address() as AddressInfo;
  return { url: `postgresql://madang:${password}@127.0.0.1:${port}/madang`, received };
}

const impostors = {
  "requests the password": message("R", 3),
  "requests an MD5 hash of the password": message("R", 5, "salt"),
  "requests no authentication": Buffer.concat([message("R", 0), message("Z", "I")]),
  "sends an invalid SCRAM signature": Buffer.concat([
    message("R", 10, "SCRAM-SHA-256\0\0"),
    message("R", 11, "r=nonce,s=c2FsdA==,i=4096"),
    message("R", 12, "v=AAAA"),
    message("R", 0),
    message("Z", "I"),
  ]),
};

test.each(Object.entries(impostors))(
  "a server that %s does not receive the password or a query",
  async (_what, response) => {
    const { url, received } = await startImpostor(response);
    const Client = clientClassFor(`${url}?require_auth=scram-sha-256`);
    const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    client.on("error", () => undefined);
    await expect(client.connect().then(() => client.query("SELECT 'a secret query'"))).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 100));
    const sent = Buffer.concat(received).toString("latin1");
    for (const secret of [password, "md5", "a secret query"]) expect(sent).not.toContain(secret);
  },
);

test("without require_auth, a client sends the password to any server that requests it", async () => {
  const { url, received } = await startImpostor(impostors["requests the password"]);
  const client = new (clientClassFor(url))({ connectionString: url });
  client.on("error", () => undefined);
  const rejected = expect(client.connect()).rejects.toThrow();
  await expect.poll(() => Buffer.concat(received).toString("latin1")).toContain(password);
  for (const socket of sockets) socket.destroy();
  await rejected;
});

test("the embedded PostgreSQL authenticates with SCRAM-SHA-256 and requires the password", async () => {
  const url = postgres;
  expect(url).toContain("require_auth=scram-sha-256");
  const { url: proxied, proxy } = await startPostgresProxy(url);
  let sent = "";
  proxy.set({
    onRequest(bytes) {
      sent += bytes.toString("latin1");
      return bytes;
    },
  });
  const client = new (clientClassFor(url))({ connectionString: proxied });
  await client.connect();
  expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  await client.end();
  await proxy.close();
  expect(sent).toContain("SCRAM-SHA-256");
  expect(sent).not.toContain(new URL(url).password);

  const wrong = new URL(url);
  wrong.password = "wrong";
  const intruder = new pg.Client({ connectionString: wrong.href });
  await expect(intruder.connect()).rejects.toThrow("password authentication failed");
});
