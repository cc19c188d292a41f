import { hash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { createCursors } from "../../../apps/server/src/paging/cursor";
import { createKeyRing } from "../../../apps/server/src/security/key-ring";
import { firstKeySet } from "../../../apps/server/src/security/key-set";
import { createKeyMaker } from "../../../apps/server/src/security/secret";
import { createChannel } from "./channels";
import { countUnread, listInbox, markRead } from "./inbox";
import { joinChannel, leaveChannel, listMembers } from "./members";
import { exportMessages, listMessages } from "./message-pages";
import { sendMessage } from "./messages";
import type { Once, Route, Tools } from "./route";
import { createUser, deleteUser, getUser, listUsers, mergeMeta, updateUser, upsertUsers } from "./users";

/*
 * The baseline: a server written only for speed. `node:http`, `pg` with prepared statements, one statement per
 * operation where possible. It validates nothing, logs nothing and handles no failures. API keys and cursors are the
 * server's own, so that both do the same work there.
 */

const { DATABASE_URL = "", MADANG_MASTER_KEY = "" } = process.env;
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
const keyMaker = createKeyMaker([MADANG_MASTER_KEY], firstKeySet(MADANG_MASTER_KEY), Buffer.alloc);
const keyRing = createKeyRing({
  keyMaker,
  load: async () => {
    const text = "SELECT digest FROM sub_keys WHERE master_id = $1";
    const { rows } = await pool.query({ name: "keys", text, values: [keyMaker.masterId] });
    return rows.map(({ digest }) => ({ digest: digest.toString("base64") }));
  },
  monotonicNow: () => performance.now(),
  now: Date.now,
});
const secret = await pool.query("SELECT value FROM secrets WHERE name = 'cursors'");
const tools: Tools = { pool, cursors: createCursors(keyMaker, secret.rows[0].value) };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    respondTo(request, response, chunks).catch((error) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      response.writeHead(500).end();
    });
  });
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, msg: "listening" })}\n`);
});

async function respondTo(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: readonly Buffer[],
): Promise<void> {
  const credential = request.headers.authorization?.slice("Bearer ".length) ?? "";
  const isKnown = keyMaker.isSigned(credential) && (await keyRing.find(credential)) !== undefined;
  if (!isKnown) return void response.writeHead(401).end();
  const url = request.url ?? "";
  const queryIndex = url.indexOf("?");
  const parts = (queryIndex === -1 ? url : url.slice(0, queryIndex)).split("/").slice(2);
  const route = find(request.method ?? "", parts);
  if (route === undefined) return void response.writeHead(404).end();
  const query = new URLSearchParams(queryIndex === -1 ? "" : url.slice(queryIndex + 1));
  const sent = Buffer.concat(chunks).toString();
  const body = sent === "" ? {} : JSON.parse(sent);
  const incoming = { parts, query, body, once: onceOf(request, url, sent) };
  const { status, text, isReplayed } = await route(tools, incoming);
  response.writeHead(status, {
    ...(text !== "" && { "Content-Type": "application/json; charset=utf-8" }),
    "Content-Length": Buffer.byteLength(text),
    ...(isReplayed === true && { "Idempotent-Replayed": "true" }),
  });
  response.end(text);
}

function onceOf({ method, headers }: IncomingMessage, url: string, sent: string): Once | undefined {
  const key = headers["idempotency-key"];
  if (typeof key !== "string") return undefined;
  return { key, fingerprint: hash("sha256", `${method} ${url} ${sent}`, "buffer") };
}

function find(method: string, [first, second, third, fourth, , sixth]: readonly string[]): Route | undefined {
  if (first === "users") {
    if (second === undefined && method === "PUT") return upsertUsers;
    if (second === undefined) return method === "GET" ? listUsers : createUser;
    if (third === "meta") return mergeMeta;
    if (third === "channels") return listInbox;
    if (third === "unread") return countUnread;
    if (method === "GET") return getUser;
    return method === "DELETE" ? deleteUser : updateUser;
  }
  if (first === "exports") return exportMessages;
  if (sixth === "read") return markRead;
  switch (`${method} ${fourth ?? ""}`) {
    case "POST ":
      return createChannel;
    case "GET members":
      return listMembers;
    case "PUT join":
      return joinChannel;
    case "PUT leave":
      return leaveChannel;
    case "GET messages":
      return listMessages;
    case "POST messages":
      return sendMessage;
    default:
      return undefined;
  }
}
