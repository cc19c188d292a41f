import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { limits } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "../support/call";
import { createDatabase } from "../support/database";
import { createToken } from "../support/replay";
import { isLong, scale } from "../support/report";
import { masterKey } from "../support/server";
import { measureAttack } from "./measure-attack";
import type { ObservedRequest } from "./observer";
import { type ServerProcess, startProcess } from "./process";

// One caller at its worst, in the memory of a container, while another user, another key and the master key work.

/** The limit in kubernetes.yaml. */
const maxMegabytes = 512;
/** Each has a last message that is as large as one can be. */
const manyChannels = Array.from({ length: 50 }, (_, index) => `many_${index}`);
const messagesOf = (channelId: string) => `/v1/group/channels/${channelId}/messages`;

let files: string;
let database: Awaited<ReturnType<typeof createDatabase>>;
let server: ServerProcess;
let observed: ObservedRequest[];
/** The attackers, and a message of the first one. */
let keys: readonly string[];
let tokens: readonly string[];
let messageId: string;

beforeAll(async () => {
  database = await createDatabase();
  files = await mkdtemp(join(tmpdir(), "madang-attacks-"));
  // As Node does it for itself in a container with this limit.
  server = await startProcess(database.url, {
    NODE_OPTIONS: "--max-semi-space-size=16 --max-old-space-size=256",
    MADANG_POOL_SIZE: "10",
    MADANG_FILES: `folder:${files}`,
  });
  for (const user_id of ["kim_01", "lee_02", "mallory_01", "mallory_02"])
    await call(server.url, "POST", "/v1/users", { body: { user_id, name: user_id } });
  const attackers = ["mallory_01", "mallory_02"];
  for (const [channel_id, members] of [
    ["room_1", ["kim_01", "lee_02"]],
    ["large_1", ["kim_01", ...attackers]],
    ["own_1", attackers],
    ["shared_1", ["lee_02", "mallory_01"]],
    ...manyChannels.map((channelId) => [channelId, ["kim_01", "mallory_01"]] as const),
  ])
    await call(server.url, "POST", "/v1/group/channels", { body: { channel_id, name: "Lunch", members } });
  await sendLargeMessages();
  const large = { user_id: "kim_01", type: "text", content: "😀".repeat(limits.content.maxLength) };
  for (const channelId of manyChannels)
    expect((await call(server.url, "POST", messagesOf(channelId), { body: large })).status).toBe(201);
  keys = await Promise.all([
    createKey("read", "privacy.export", "imports.messages", "reports.create", "messages.send"),
    createKey("read", "messages.send"),
  ]);
  tokens = await Promise.all(attackers.map((userId) => createToken(server.url, userId)));
  const body = { type: "text", content: "Hello." };
  messageId = (await call(server.url, "POST", messagesOf("own_1"), { key: tokens[0] ?? "", body })).body
    .message_id;
  const token = await createToken(server.url, "lee_02");
  const observe = (caller: string, key: string, path: string, sent?: object): ObservedRequest => ({
    caller,
    url: server.url + path,
    options: {
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(sent && { method: "POST", body: JSON.stringify(sent) }),
    },
  });
  observed = [
    observe("another user", token, `${messagesOf("room_1")}?limit=20`),
    observe("another user", token, `${messagesOf("shared_1")}?limit=20`),
    observe("another user", token, messagesOf("room_1"), body),
    observe("another user", token, "/v1/users/lee_02/channels"),
    observe("another user", token, `${messagesOf("room_1")}/search?q=hello`),
    observe("another key", keys[1] ?? "", messagesOf("room_1"), { ...body, user_id: "kim_01" }),
    observe("another key", keys[1] ?? "", "/v1/users/kim_01"),
    observe("the master key", masterKey, messagesOf("room_1"), { ...body, user_id: "kim_01" }),
    observe("the master key", masterKey, "/v1/users/kim_01/channels"),
  ];
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await database?.drop();
  await rm(files, { recursive: true });
});

/** As large as a message can be, in bytes. */
async function sendLargeMessages(): Promise<void> {
  const body = { user_id: "kim_01", type: "text", content: "😀".repeat(limits.content.maxLength) };
  let left = 1_000;
  const sendSome = async () => {
    while (left-- > 0)
      expect((await call(server.url, "POST", messagesOf("large_1"), { body })).status).toBe(201);
  };
  await Promise.all(Array.from({ length: 8 }, sendSome));
}

/** A key with some scopes. */
async function createKey(...scopes: readonly string[]): Promise<string> {
  const { body } = await call(server.url, "POST", "/v1/applications/keys", { body: { scopes } });
  return body.key;
}

/** Who attacks. */
type Attacker = "nobody" | "a key" | "a token" | "two tokens";

interface Attack {
  readonly by: Attacker;
  readonly what: string;
  /** Runs until the signal is aborted. `credentials` has those of the attacker. */
  readonly run: (signal: AbortSignal, credentials: readonly string[]) => Promise<unknown>;
  /** The others run each night. */
  readonly isSample?: boolean;
  /** How long it takes until it is at its worst. */
  readonly settleMs?: number;
  /** Why the requests of others may take more than three times as long. */
  readonly isSlow?: string;
}

const credentialsOf = (by: Attacker): readonly string[] =>
  ({ nobody: [], "a key": keys.slice(0, 1), "a token": tokens.slice(0, 1), "two tokens": tokens })[by];

/** So many clients, each of which repeats its request with the credentials in turn. Reads the responses, and checks the statuses. */
const repeat =
  (
    clients: number,
    path: string | ((index: number) => string),
    { method = "GET", body, rejected }: { method?: string; body?: object | string; rejected?: number } = {},
  ): Attack["run"] =>
  async (signal, credentials) => {
    const client = async (_: unknown, index: number) => {
      const headers = {
        Authorization: `Bearer ${credentials[index % credentials.length]}`,
        "Content-Type": "application/json",
      };
      while (!signal.aborted) {
        const sent = typeof body === "object" ? JSON.stringify(body) : body;
        const url = server.url + (typeof path === "string" ? path : path(index));
        const options = { method, headers, signal, ...(sent !== undefined && { body: sent }) };
        const status = await fetch(url, options)
          .then(async (response) => {
            await response.bytes();
            return response.status;
          })
          .catch(() => 0);
        // 0: the attack is over. 408: the machine is busy. 503: only beyond what the process has for all strangers.
        expect([0, 200, 201, 204, 408, 429, 503, rejected]).toContain(status);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
  };

/** So many connections that send bytes, and read what they get. One that the server closes is opened again. */
const occupy =
  (clients: number, bytesOf: (credential: string, index: number) => string): Attack["run"] =>
  async (signal, credentials) => {
    const sockets = new Set<Socket>();
    const client = async (_: unknown, index: number) => {
      // A few at once: the queue of the port has 511.
      await sleep(index / 2);
      while (!signal.aborted) {
        const socket = createConnection(Number(new URL(server.url).port), "127.0.0.1");
        sockets.add(socket.on("error", () => undefined).resume());
        socket.write(bytesOf(credentials[index % credentials.length] ?? "", index));
        // `events.once` would reject if the server resets the connection.
        await new Promise((resolve) => socket.once("close", resolve));
        sockets.delete(socket);
        await sleep(50);
      }
    };
    const occupying = Promise.all(Array.from({ length: clients }, client));
    await once(signal, "abort");
    for (const socket of sockets) socket.destroy();
    await occupying;
  };

/** So many connections that send one request, and read so many bytes of its response a second. */
const readSlowly =
  (connections: number, path: string, bytesPerSecond: number): Attack["run"] =>
  async (signal, [credential = ""]) => {
    const reader = spawn(
      "python3",
      [
        fileURLToPath(new URL("./slow-reader.py", import.meta.url)),
        new URL(server.url).port,
        String(connections),
        String(bytesPerSecond),
        headOf("GET", path, credential),
      ],
      { stdio: "inherit" },
    );
    const exited = once(reader, "exit");
    signal.addEventListener("abort", () => reader.kill("SIGKILL"));
    // It ends by itself only after an error.
    const [code, killedBy] = await exited;
    expect([code, killedBy]).toEqual([null, "SIGKILL"]);
  };

/** Writes as many messages at once as a user may, each by one character after the other, as fast as it may. */
const writeSlowly: Attack["run"] = async (signal, [key = ""]) => {
  const write = async () => {
    const body = { type: "text", content: "", streaming: true };
    const begun = await call(server.url, "POST", messagesOf("shared_1"), { key, body });
    if (begun.status !== 201) return expect([409, 429, 503]).toContain(begun.status);
    const path = `${messagesOf("shared_1")}/${begun.body.message_id}`;
    for (let index = 0; !signal.aborted; ) {
      const { status } = await call(server.url, "POST", `${path}/append`, {
        key,
        body: { index, content: "a" },
      });
      expect([200, 429, 503]).toContain(status);
      if (status === 200) index += 1;
      else await sleep(20);
    }
    await call(server.url, "PUT", `${path}/finish`, { key, body: { state: "done" } });
  };
  await Promise.all(Array.from({ length: limits.streamedMessages }, write));
};

/** Edits a message twice a second, to texts that take long to fold. */
const editToLongFolds: Attack["run"] = async (signal, [key = ""]) => {
  for (let count = 0; !signal.aborted; count++) {
    const content = ["\u{1E900}", "Σ", "ᾼ"][count % 3]?.repeat(limits.content.maxLength);
    const path = `${messagesOf("own_1")}/${messageId}`;
    expect((await call(server.url, "PUT", path, { key, body: { content } })).status).toBe(200);
    await sleep(500);
  }
};

/** Uploads a file 24 times at once, again and again. */
const uploadAtOnce: Attack["run"] = async (signal, [key = ""]) => {
  const size = 1_000_000;
  const body = { channel_id: "own_1", name: "menu.png", type: "image/png", size };
  while (!signal.aborted) {
    const created = await call(server.url, "POST", "/v1/files", { key, body });
    if (created.status !== 201) {
      expect([429, 503]).toContain(created.status);
      await sleep(100);
      continue;
    }
    const { url, headers } = created.body.upload;
    const put = async () =>
      (await fetch(url, { method: "PUT", headers, body: Buffer.alloc(size) }).catch(() => undefined))?.status;
    const statuses = await Promise.all(Array.from({ length: 24 }, put));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  }
};

const headOf = (method: string, path: string, credential: string, length?: number) =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    ...(credential && [`Authorization: Bearer ${credential}`]),
    ...(length === undefined ? [] : [`Content-Length: ${length}`]),
    "\r\n",
  ].join("\r\n");

/** Bodies that arrive almost completely, and then wait. */
const unfinished =
  (path: string, length: number, missing: number) =>
  (credential: string): string =>
    headOf("POST", path, credential, length) + " ".repeat(length - missing);

const depth = 500_000;
const nested = `{"channel_id":"room_1","reason":${"[".repeat(depth)}${"]".repeat(depth)}}`;
const wide = { type: "text", content: "ﷺ".repeat(limits.content.maxLength) };
const emoji = encodeURIComponent("😀");
const isProcessor = "the attacker's requests take processor time, which has no shares";

const attacks: readonly Attack[] = [
  {
    by: "nobody",
    what: "1,200 connections read /openapi.json at 170 bytes a second",
    run: readSlowly(1_200, "/openapi.json", 170),
    settleMs: scale(6_000, 20_000),
  },
  {
    by: "a token",
    what: "100 pages of 1 MB at once, read at 17 kB a second",
    run: readSlowly(100, `${messagesOf("large_1")}?limit=100`, 17_000),
    settleMs: scale(4_000, 20_000),
    isSample: true,
  },
  {
    by: "a token",
    what: "1,000 bodies of 62 kB, 2 kB and 16 bytes without their last byte",
    // The small ones fill what the large ones leave.
    run: occupy(1_000, (key, index) =>
      unfinished(messagesOf("own_1"), index < 540 ? 62_000 : index < 740 ? 2_000 : 16, 1)(key),
    ),
  },
  {
    by: "a key",
    what: "12 imports of 8 MB without their last byte",
    run: occupy(12, unfinished("/v1/imports/group/channels/own_1/messages", limits.importBodyBytes, 1)),
  },
  ...(["a key", "a token"] as const).map((by) => ({
    by,
    what: "25 bodies of 1.04 of 1.05 MB",
    run: occupy(
      25,
      unfinished(
        by === "a key" ? `/v1/imports/group/channels/own_1/messages` : messagesOf("own_1"),
        1_050_000,
        10_000,
      ),
    ),
  })),
  {
    by: "a token",
    isSlow: isProcessor,
    what: "200 sends of streamed messages at once, in one channel of its own",
    run: repeat(200, messagesOf("own_1"), {
      method: "POST",
      body: { type: "text", content: "", streaming: true },
      // It has as many that are not finished as it may.
      rejected: 409,
    }),
  },
  {
    by: "a token",
    isSlow: isProcessor,
    what: "200 edits of one message at once",
    run: repeat(200, () => `${messagesOf("own_1")}/${messageId}`, {
      method: "PUT",
      body: { content: "Edited." },
    }),
    isSample: true,
  },
  {
    by: "a token",
    isSlow: isProcessor,
    what: "200 reports at once",
    run: repeat(200, "/v1/reports", { method: "POST", body: { channel_id: "own_1", reason: "Spam." } }),
  },
  {
    by: "a token",
    what: `${limits.streamedMessages} messages that are written at once, one character after the other`,
    run: writeSlowly,
    isSlow: isProcessor,
  },
  {
    by: "a token",
    what: "8 lists of 50 channels with large last messages",
    run: repeat(8, `/v1/users/mallory_01/channels?channel_ids=${manyChannels.join()}`),
    isSlow: isProcessor,
  },
  { by: "a token", what: "2 edits a second to texts that take long to fold", run: editToLongFolds },
  {
    by: "a token",
    what: "24 uploads of one file at once",
    run: uploadAtOnce,
    isSlow: isProcessor,
  },
  {
    by: "two tokens",
    isSlow: isProcessor,
    what: "200 lists of events of a type that none has",
    run: repeat(200, "/v1/events?types=user.deleted"),
  },
  {
    by: "two tokens",
    isSlow: isProcessor,
    what: "120 searches at once",
    // Requests of a client for the same result would share a search.
    run: repeat(120, (index) => `${messagesOf("large_1")}/search?limit=${1 + (index % 100)}&q=${emoji}`),
  },
  ...(["a key", "a token"] as const).map((by) => ({
    by,
    what: "24 bodies of 1 MB of nested arrays",
    run: repeat(24, "/v1/reports", { method: "POST", body: nested, rejected: 400 }),
    isSlow: isProcessor,
  })),
  {
    by: "a token",
    what: "2 clients send texts of U+FDFA, which are indexed",
    run: repeat(2, messagesOf("own_1"), { method: "POST", body: wide }),
    isSlow: isProcessor,
  },
  ...(["a key", "a token"] as const).flatMap((by) => [
    {
      by,
      what: "100 streams from the oldest event on",
      run: repeat(100, "/v1/events/stream"),
      isSlow: isProcessor,
    },
    {
      by,
      what: "20 lists of large messages",
      run: repeat(20, `${messagesOf("large_1")}?limit=100`),
      isSlow: isProcessor,
    },
    { by, what: "8 lists of large events", run: repeat(8, "/v1/events?limit=500"), isSlow: isProcessor },
    {
      by,
      what: "8 searches in large messages",
      run: repeat(8, `${messagesOf("large_1")}/search?limit=100&q=${emoji}`),
      isSlow: isProcessor,
    },
  ]),
  {
    by: "a key",
    what: "8 exports of large messages",
    run: repeat(8, "/v1/exports/group/channels/large_1/messages?limit=1000"),
    isSlow: isProcessor,
    isSample: true,
  },
  {
    by: "a key",
    what: "8 exports of a person",
    run: repeat(8, "/v1/privacy/users/kim_01?limit=1000"),
    isSlow: isProcessor,
  },
];

/** In CI, a sample: slow readers, changes and large responses. */
const tried = attacks.filter(({ isSample }) => isLong || isSample);

test.each(tried)("$by: $what", async ({ by, what, run, settleMs, isSlow }) => {
  await measureAttack(`${by}: ${what}`, server, (signal) => run(signal, credentialsOf(by)), {
    requests: observed,
    maxMegabytes,
    settleMs,
    isSlow,
  });
  expect(server.output()).not.toContain("request failed");
});
