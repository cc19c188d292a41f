import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prepareInstallation } from "../../src/db/embedded/installation";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrations/migrate";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { createPostgresFolder } from "../support/postgres-folder";
import { expectWithinIfLong, report, scale } from "../support/report";
import { type ServerProcess, superviseProcess } from "./process";

const channelCount = scale(40, 10_000);
const messagesPerChannel = scale(50, 100);
const kills = scale(3, 20);
const measuredMs = scale(500, 20_000);

/** What must be found before the erasure and not after it. */
const marks = {
  name: "MARKEDname",
  formerName: "MARKEDformername",
  profileUrl: "https://example.com/MARKEDpicture",
  meta: "MARKEDmeta",
  text: "MARKEDtext",
  file: "MARKEDfile",
  messageMeta: "MARKEDmessagemeta",
  externalId: "MARKEDexternal",
  suspension: "MARKEDsuspension",
  ban: "MARKEDban",
  report: "MARKEDreport",
  ownReport: "MARKEDownreport",
  reaction: "MARKEDreaction",
  formerReaction: "MARKEDformerreaction",
} as const;

let folder: Awaited<ReturnType<typeof createPostgresFolder>>;
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let client: pg.Client;
beforeAll(async () => {
  folder = await createPostgresFolder();
  // No vacuum of its own: until VACUUM FULL, everything that was ever stored is in the files.
  postgres = await startEmbeddedPostgres(folder.path, ["-c", "autovacuum=off", "-c", "max_connections=100"]);
  await migrate(postgres.url);
  client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await postgres.stop();
  await folder.remove();
});

const channels = "/v1/group/channels";

/** Names and texts in every place that stores some, through the operations that store them. */
async function store(url: string): Promise<void> {
  let requests = 0;
  const send = async (method: string, path: string, body?: unknown) => {
    requests += 1;
    const idempotencyKey = `request-${requests}`;
    const reply = await call(url, method, path, body === undefined ? {} : { body, idempotencyKey });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  await send("POST", "/v1/users", { user_id: "other", name: "Other" });
  await send("POST", "/v1/users", { user_id: "third", name: "Third" });
  for (const name of [marks.formerName, marks.name]) {
    const profile = { profile_url: marks.profileUrl, meta: { place: marks.meta } };
    await send("POST", "/v1/users", { user_id: "gone", name, ...profile });
    // Two users had the id. The first one was deleted long ago.
    if (name === marks.formerName) {
      const first = { channel_id: "first_room", name: "Room", members: ["gone"] };
      await send("POST", channels, first);
      await send("POST", `${channels}/first_room/messages`, {
        user_id: "gone",
        type: "text",
        content: marks.text,
      });
      await send("POST", "/v1/reports", {
        channel_id: "first_room",
        reporter_user_id: "gone",
        reason: marks.ownReport,
      });
      await call(url, "DELETE", "/v1/users/gone");
      await untilSwept();
    }
  }
  await send("PUT", "/v1/users/gone", { name: marks.name });
  await send("POST", channels, { channel_id: "small_room", name: "Room", members: ["gone", "other"] });
  const room = `${channels}/small_room`;
  const sent = await send("POST", `${room}/messages`, {
    user_id: "gone",
    type: "text",
    content: marks.text,
    meta: { place: marks.messageMeta },
  });
  await send("PUT", `${room}/messages/${sent.message_id}`, { content: `${marks.text} edited` });
  const file = { type: "text/plain", name: marks.file, url: `https://example.com/${marks.file}`, size: 1 };
  await send("POST", `${room}/messages`, { user_id: "gone", type: "file", file });
  const imported = { external_id: marks.externalId, user_id: "gone", type: "text", content: marks.text };
  await send("POST", `/v1/imports/group/channels/small_room/messages`, {
    messages: [{ ...imported, created_at: 1 }],
  });
  const last = { user_id: "other", type: "text", content: "kept", mentions: ["gone", "other"] };
  const kept = await send("POST", `${room}/messages`, last);
  await send("POST", `${room}/messages`, { user_id: "gone", type: "text", content: marks.text });
  const reactions = `${room}/messages/${kept.message_id}/reactions`;
  for (const reaction of [marks.reaction, marks.formerReaction])
    await send("PUT", `${reactions}/${reaction}/gone`);
  await call(url, "DELETE", `${reactions}/${marks.formerReaction}/gone`);
  await send("PUT", `${reactions}/${encodeURIComponent("👍")}/other`);
  await send("POST", "/v1/reports", {
    channel_id: "small_room",
    message_id: sent.message_id,
    reason: marks.report,
  });
  await send("POST", "/v1/reports", {
    channel_id: "small_room",
    message_id: kept.message_id,
    reason: "About another user",
  });
  await send("PUT", "/v1/users/gone/suspension", { reason: marks.suspension });
  await send("PUT", `${channels}/first_room/bans/gone`, { reason: marks.ban });
  await send("POST", "/v1/webhooks", { url: "https://receiver.invalid/hook" });
}

/** What the operations would take long to store: messages of two users in many channels. */
async function storeMany(): Promise<void> {
  await client.query(
    `WITH made AS (
       INSERT INTO channels (channel_id, name, member_count, is_pair_only, created_at, updated_at,
         total_message_count, latest_at, last_message_at)
       SELECT 'room_' || n, 'Room', 2, false, n, n, $2::integer, n + $2::integer, n + $2::integer FROM generate_series(1, $1::integer) n
       RETURNING pk, created_at
     ), joined AS (
       INSERT INTO members (channel_pk, user_pk, joined_at)
       SELECT made.pk, u.pk, made.created_at FROM made, users u
       WHERE u.user_id IN ('gone', 'third') AND u.deleted_at IS NULL
     )
     INSERT INTO messages (channel_pk, sender_pk, created_at, updated_at, type, content)
     SELECT made.pk, u.pk, made.created_at + n, made.created_at + n, 'text', '${marks.text} ' || n
     FROM made, users u, generate_series(1, $2::integer) n WHERE u.user_id = 'gone' AND u.deleted_at IS NULL`,
    [channelCount, messagesPerChannel],
  );
  await client.query("ANALYZE");
}

async function untilSwept(): Promise<void> {
  while ((await client.query("SELECT FROM users WHERE needs_sweep")).rowCount !== 0) await sleep(20);
}

const readErasure = async () =>
  (
    await client.query<{ status: string; messages: number }>(
      "SELECT status, erased_messages::integer AS messages FROM erasures",
    )
  ).rows[0];

/** The marks that the files of the tables contain. */
async function findMarks(): Promise<string[]> {
  await client.query("CHECKPOINT");
  const { data } = await prepareInstallation(folder.path);
  const base = join(data, "base");
  const found = new Set<string>();
  for (const entry of await readdir(base, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A file may be removed meanwhile.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    for (const [name, mark] of Object.entries(marks)) if (bytes.includes(mark)) found.add(name);
  }
  return [...found].sort();
}

interface Measured {
  /** In ascending order, also of the requests that were rejected. */
  readonly durations: readonly number[];
  /** How many requests were rejected because the database did not respond in time. */
  readonly unavailable: number;
}

/** Other requests, while the work lasts. */
async function measureOthers(url: string, isOver: () => Promise<boolean>): Promise<Measured> {
  const durations: number[] = [];
  let unavailable = 0;
  let isStopped = false;
  const send = async (writer: number) => {
    for (let turn = writer; !isStopped; turn += 2) {
      const path = `${channels}/room_${((turn * 7_919) % channelCount) + 1}/messages`;
      const startedAt = performance.now();
      const reply =
        turn % 3 === 0
          ? await call(url, "GET", path)
          : await call(url, "POST", path, { body: { user_id: "third", type: "text", content: "Hello" } });
      durations.push(performance.now() - startedAt);
      if (reply.status === 503) unavailable += 1;
      else if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
      await sleep(5);
    }
  };
  const writers = [0, 1].map(send);
  while (!(await isOver())) await sleep(20);
  isStopped = true;
  await Promise.all(writers);
  return { durations: durations.sort((one, other) => one - other), unavailable };
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

test("an erasure ends with exact counts after kills of the server, and nothing of the user is left in the files", async () => {
  const start = () => superviseProcess(postgres.url, { MADANG_WEBHOOK_ALLOW: "" });
  let server: ServerProcess = await start();
  await store(server.url);
  await storeMany();
  expect(await findMarks()).toEqual(Object.keys(marks).sort());
  const before = await (async () => {
    const endsAt = performance.now() + measuredMs;
    return measureOthers(server.url, async () => performance.now() > endsAt);
  })();

  const startedAt = performance.now();
  const body = { user_id: "gone", messages: "erase" };
  const begun = await call(server.url, "POST", "/v1/privacy/erasures", { body });
  expect(begun.status).toBe(202);
  expect((await call(server.url, "GET", "/v1/users/gone")).status).toBe(404);
  for (let kill = 0; kill < kills; kill++) {
    const { messages = 0 } = (await readErasure()) ?? {};
    while ((await readErasure())?.status === "running" && (await readErasure())?.messages === messages)
      await sleep(1);
    await server.end("SIGKILL");
    server = await start();
  }
  const during = await measureOthers(server.url, async () => (await readErasure())?.status === "done");
  const tookMs = performance.now() - startedAt;

  const path = `/v1/privacy/erasures/${begun.body.erasure_id}`;
  const messages = channelCount * messagesPerChannel + 5;
  expect((await call(server.url, "GET", path)).body).toMatchObject({
    status: "done",
    // The first user that had the id had no memberships any more.
    erased: { messages, memberships: channelCount + 1, channels: channelCount + 2 },
  });
  const inbox = await call(server.url, "GET", "/v1/users/other/channels");
  expect(inbox.body.channels).toMatchObject([{ unread_count: 0, last_message: { content: "kept" } }]);
  expect(inbox.body.channels[0].last_message).toMatchObject({
    mentions: ["other"],
    reactions: [{ reaction: "👍", count: 1 }],
  });
  expect((await call(server.url, "GET", "/v1/users/third/unread")).body).toEqual({
    unread_count: 0,
    channel_count: 0,
    quiet_unread_count: 0,
  });
  const { violations } = await checkData(postgres.url);
  expect(violations).toEqual([]);
  // Only the deletions of the messages are left in the feed, and each once.
  const { rows } = await client.query(
    "SELECT count(*)::integer AS all, count(DISTINCT message_pk)::integer AS each FROM events WHERE type = 'message.deleted'",
  );
  expect(rows).toEqual([{ all: messages, each: messages }]);
  const reasons = await client.query("SELECT reason FROM reports ORDER BY pk");
  expect(reasons.rows.map(({ reason }) => reason)).toEqual(["Erased", "Erased", "About another user"]);

  expect(server.output()).not.toContain("MARKED");
  await server.end("SIGTERM");
  await client.query("VACUUM FULL");
  await client.query("SELECT pg_switch_wal()");
  expect(await findMarks()).toEqual([]);

  const [normal, busy] = [percentile(before.durations, 0.99), percentile(during.durations, 0.99)];
  const sent = before.durations.length + during.durations.length;
  await report({
    fault: `erasure of ${messages.toLocaleString("en-US")} messages in ${channelCount.toLocaleString("en-US")} channels, kill -9 of the server ${kills} times`,
    load: `2 clients; p99 ${normal.toFixed(1)} ms before and ${busy.toFixed(1)} ms during it; done after ${Math.round(tookMs / 1_000)} s`,
    sent,
    acknowledged: sent - before.unavailable - during.unavailable,
    wrong: violations.length,
  });
  expectWithinIfLong(2 * normal, busy);
});
