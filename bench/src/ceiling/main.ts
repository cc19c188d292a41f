import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { createCursors } from "../../../apps/server/src/paging/cursor";
import { createKeyRing } from "../../../apps/server/src/security/key-ring";
import { createKeyMaker } from "../../../apps/server/src/security/secret";
import { createChannel } from "./channels";
import { exportMessages } from "./exports";
import { joinChannel, leaveChannel, listMembers } from "./members";
import { sendMessage } from "./messages";
import type { Means, Route } from "./route";
import { createUser, deleteUser, getUser, listUsers, mergeMeta, updateUser } from "./users";

/*
 * The ceiling: what somebody writes who wants nothing but speed. `node:http`, `pg` with prepared statements, one
 * statement an operation where one does. It checks no input, logs nothing and knows no failure. Only the look-up of
 * the key and the cursors are the server's own, so that both do the same work there.
 */

const { DATABASE_URL = "", MADANG_MASTER_KEY = "" } = process.env;
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
const keyMaker = createKeyMaker(MADANG_MASTER_KEY, Buffer.alloc);
const keyRing = createKeyRing(
  keyMaker,
  async () => {
    const text = "SELECT digest FROM sub_keys WHERE master_id = $1";
    const { rows } = await pool.query({ name: "keys", text, values: [keyMaker.masterId] });
    return rows.map(({ digest }) => digest.toString("base64"));
  },
  () => performance.now(),
);
const secret = await pool.query("SELECT value FROM secrets WHERE name = 'cursors'");
const means: Means = { pool, cursors: createCursors(secret.rows[0].value) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    answer(request, response, chunks).catch((error) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      response.writeHead(500).end();
    });
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});

async function answer(request: IncomingMessage, response: ServerResponse, chunks: Buffer[]): Promise<void> {
  const key = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const isKnown = keyMaker.isMarked(key) && (await keyRing.isValid(key));
  if (!isKnown) return void response.writeHead(401).end();
  const url = request.url ?? "";
  const mark = url.indexOf("?");
  const parts = (mark === -1 ? url : url.slice(0, mark)).split("/").slice(2);
  const route = find(request.method ?? "", parts);
  if (route === undefined) return void response.writeHead(404).end();
  const query = new URLSearchParams(mark === -1 ? "" : url.slice(mark + 1));
  const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
  const [status, text] = await route(means, { parts, query, body });
  const headers = text === "" ? {} : { "Content-Type": "application/json; charset=utf-8" };
  response.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text) }).end(text);
}

function find(method: string, [first, second, third, fourth]: readonly string[]): Route | undefined {
  if (first === "users") {
    if (second === undefined) return method === "GET" ? listUsers : createUser;
    if (third === "meta") return mergeMeta;
    if (method === "GET") return getUser;
    return method === "DELETE" ? deleteUser : updateUser;
  }
  if (first === "exports") return exportMessages;
  switch (`${method} ${fourth ?? ""}`) {
    case "POST ":
      return createChannel;
    case "GET members":
      return listMembers;
    case "PUT join":
      return joinChannel;
    case "PUT leave":
      return leaveChannel;
    case "POST messages":
      return sendMessage;
    default:
      return undefined;
  }
}
