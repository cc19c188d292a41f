import { ChatClient } from "@madang/client";
import { afterAll, expect, test } from "vitest";
import { listEntries } from "../../src/modules/audit/store";
import { listReports } from "../../src/modules/reports/store";
import { createSweeper } from "../../src/modules/retention/sweep-store";
import { newest } from "../../src/paging/position";
import { holdConversation } from "../support/conversation";
import { createDatabase, openDatabase } from "../support/database";
import { indexAll } from "../support/index-all";
import { queryOnce } from "../support/query-once";
import { createToken } from "../support/replay";
import { masterKey, startServerOn } from "../support/server";

const database = await createDatabase();
afterAll(() => database.drop());

test("with empty tables, statements get plans that stay good when the tables grow: none reads a whole table", async () => {
  // Now PostgreSQL knows that the tables are empty, for which reading all of a table is the cheapest plan.
  await ask("VACUUM ANALYZE");
  const server = await startServerOn(database.url);
  await holdConversation(new ChatClient({ baseUrl: server.url, apiKey: masterKey }));
  await indexAll(server.db);
  // A connection reports what it has counted at the latest when it closes.
  await server.close();
  // There are at most 100 filters and 5 hooks, and a lease for each process.
  const scanned = await ask(
    `SELECT relname, seq_scan::integer FROM pg_stat_user_tables
    WHERE seq_scan > 0 AND relname NOT IN ('filters', 'hooks', 'presence_leases')`,
  );
  expect(scanned).toEqual([]);
});

test("a list by the beginning of a name reads the names that begin so, and no later ones", async () => {
  const own = await createDatabase();
  const server = await startServerOn(own.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  const numbers = "generate_series(1, 3000) AS i";
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT 'user_' || i, 'Kim ' || i, i, i FROM ${numbers};
    INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT 'room_' || i, 'Team ' || i, i, i FROM ${numbers}`,
    own.url,
  );
  for (const number of ["1500", "none"]) {
    const users = await chat.users.list({ name_prefix: `Kim ${number}` }).toArray();
    const channels = await chat.channels.list({ name_prefix: `Team ${number}` }).toArray();
    expect([users.length, channels.length]).toEqual(number === "none" ? [0, 0] : [1, 1]);
  }
  await server.close();
  const read = await askAlone(
    `SELECT indexrelname, idx_tup_read::integer AS read FROM pg_stat_user_indexes
      WHERE indexrelname IN ('users_live_by_name_prefix', 'channels_live_by_name') ORDER BY 1 DESC`,
    own.url,
  );
  expect(read).toEqual([
    { indexrelname: "users_live_by_name_prefix", read: 1 },
    { indexrelname: "channels_live_by_name", read: 1 },
  ]);
  await own.drop();
});

test("the presence of a user in very many channels is read by the channels of the one who is in fewer", async () => {
  const own = await createDatabase();
  const server = await startServerOn(own.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT unnest(ARRAY['agent', 'guest']), 'Kim', 1, 1;
    INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT 'room_' || i, 'Room', i, i FROM generate_series(1, 3000) AS i;
    INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, u.pk, 1 FROM channels c, users u WHERE user_id = 'agent'`,
    own.url,
  );
  await ask("ANALYZE", own.url);
  await chat.channels.create({ channel_id: "room_guest", name: "Room", members: ["guest"] });
  for (const [viewer, other] of [
    ["guest", "agent"],
    ["agent", "guest"],
  ] as const) {
    const apiKey = await createToken(server.url, viewer);
    const asViewer = new ChatClient({ baseUrl: server.url, apiKey });
    const { presence } = await asViewer.presence.list({ user_ids: [other] });
    expect(presence).toEqual([]);
  }
  await server.close();
  // A lookup for each of the 3,000 channels would be a scan each.
  const read = await askAlone(
    "SELECT sum(idx_scan)::integer AS scans FROM pg_stat_user_indexes WHERE indexrelname IN ('members_pkey', 'managers_pkey')",
    own.url,
  );
  expect(Number(read[0]?.scans)).toBeLessThan(100);
  await own.drop();
});

test("of users who are in very many channels, like the viewer, only the viewer's channels are all read", async () => {
  const own = await createDatabase();
  const server = await startServerOn(own.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT 'agent_' || i, 'Kim', 1, 1 FROM generate_series(0, 9) AS i;
    INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT 'room_' || i, 'Room', i, i FROM generate_series(0, 5999) AS i;
    INSERT INTO members (channel_pk, user_pk, joined_at) SELECT c.pk, u.pk, 1 FROM channels c JOIN users u
      ON (u.user_id = 'agent_0') = (c.pk % 2 = 0)`,
    own.url,
  );
  await ask("VACUUM ANALYZE", own.url);
  await chat.channels.create({ channel_id: "room_both", name: "Room", members: ["agent_0", "agent_5"] });
  await chat.channels.create({ channel_id: "room_led", name: "Room", members: ["agent_0"] });
  await chat.channels.managers.add("room_led", "agent_7");
  const apiKey = await createToken(server.url, "agent_0");
  const viewer = new ChatClient({ baseUrl: server.url, apiKey });
  const { presence } = await viewer.presence.list({
    user_ids: Array.from({ length: 9 }, (_, index) => `agent_${index + 1}`),
  });
  expect(presence.map(({ user_id }) => user_id)).toEqual(["agent_5", "agent_7"]);
  await server.close();
  const read = await askAlone(
    "SELECT (seq_tup_read + idx_tup_fetch)::integer AS rows FROM pg_stat_user_tables WHERE relname = 'members'",
    own.url,
  );
  // All channels of all of them: 30,000.
  expect(Number(read[0]?.rows)).toBeLessThan(15_000);
  await own.drop();
});

test("a page of a very long inbox looks up no more than what is on it, and unread totals look up the channels with unread messages", async () => {
  const own = await createDatabase();
  const rooms = 3_000;
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT unnest(ARRAY['agent', 'guest']), 'Kim', 1, 1;
    INSERT INTO channels (channel_id, name, created_at, updated_at, total_message_count, last_message_at, latest_at)
    SELECT 'room_' || i, 'Room', i, i, 1, i, i FROM generate_series(1, ${rooms}) AS i;
    INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'Hi', c.created_at, c.created_at FROM channels c, users u WHERE user_id = 'guest';
    INSERT INTO members (channel_pk, user_pk, joined_at, read_created_at, read_pk)
    SELECT c.pk, u.pk, 0, read.created_at, read.pk FROM channels c JOIN users u ON user_id = 'agent'
      LEFT JOIN messages read ON read.channel_pk = c.pk AND c.pk % 10 > 0`,
    own.url,
  );
  await ask("VACUUM ANALYZE", own.url);
  const lookUps = async (read: (chat: ChatClient) => Promise<unknown>) => {
    await ask("SELECT pg_stat_reset()", own.url);
    const server = await startServerOn(own.url);
    await read(new ChatClient({ baseUrl: server.url, apiKey: masterKey }));
    await server.close();
    const counted = await askAlone(
      `SELECT indexrelname AS name, idx_scan::integer AS count FROM pg_stat_user_indexes
        WHERE indexrelname IN ('members_pkey', 'messages_pkey')
      UNION ALL SELECT relname, (seq_tup_read + COALESCE(idx_tup_fetch, 0))::integer FROM pg_stat_user_tables
        WHERE relname = 'channels'`,
      own.url,
    );
    return new Map(counted.map(({ name, count }) => [String(name), Number(count)]));
  };
  const page = (filter: object) => (chat: ChatClient) => chat.users.channels("agent", filter).firstPage();
  const first = await lookUps(page({}));
  expect(Math.max(...first.values())).toBeLessThan(150);
  // It looks at the channels in between, which are read.
  const unread = await lookUps(page({ unread: true }));
  expect(Math.max(...unread.values())).toBeLessThan(600);
  const totals = await lookUps((chat) => chat.users.unread("agent"));
  expect(totals.get("channels")).toBeLessThan(rooms / 10 + 50);
  await own.drop();
});

test("participants are looked up by the channel, also where most users are in one channel and one is in thousands", async () => {
  const own = await createDatabase();
  const [rooms, ofAgent] = [20_000, 2_000];
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT 'guest_' || i, 'Kim', 1, 1 FROM generate_series(1, ${rooms}) AS i;
    INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('agent', 'Lee', 1, 1);
    INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT 'room_' || i, 'Room', i, i FROM generate_series(1, ${rooms}) AS i;
    INSERT INTO members (channel_pk, user_pk, joined_at)
    SELECT c.pk, u.pk, 0 FROM channels c JOIN users u ON user_id = 'guest_' || substr(channel_id, 6)
    UNION ALL (SELECT c.pk, u.pk, 0 FROM channels c, users u WHERE user_id = 'agent' ORDER BY c.pk LIMIT ${ofAgent});
    INSERT INTO channels (channel_id, name, created_at, updated_at) VALUES ('busy', 'Busy', 1, 1);
    INSERT INTO messages (channel_pk, sender_pk, type, content, created_at, updated_at)
    SELECT c.pk, u.pk, 'text', 'Hi', i, i FROM channels c, users u, generate_series(1, ${ofAgent}) AS i
      WHERE channel_id = 'busy' AND user_id = 'guest_1'`,
    own.url,
  );
  await ask("VACUUM ANALYZE", own.url);
  const server = await startServerOn(own.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  expect((await chat.users.channels("agent").firstPage()).items).toHaveLength(15);
  await server.close();
  const read = await askAlone(
    "SELECT idx_tup_read::integer AS read FROM pg_stat_user_indexes WHERE indexrelname = 'members_by_user'",
    own.url,
  );
  // All are counted, and read once.
  expect(Number(read[0]?.read)).toBeLessThan(3 * ofAgent);
  await own.drop();
});

test("a search by name reads each name in the index once, and only the row that it finds", async () => {
  const own = await createDatabase();
  const server = await startServerOn(own.url);
  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  const names = "SELECT '김 Min ' || i AS name, i FROM generate_series(1, 3000) AS i";
  await ask(
    `INSERT INTO users (user_id, name, created_at, updated_at) SELECT 'user_' || i, name, i, i FROM (${names}) AS named;
    INSERT INTO channels (channel_id, name, created_at, updated_at) SELECT 'room_' || i, name, i, i FROM (${names}) AS named`,
    own.url,
  );
  await ask("ANALYZE", own.url);
  expect(await chat.users.list({ q: "min 1500" }).toArray()).toHaveLength(1);
  expect(await chat.channels.list({ q: "min 1500" }).toArray()).toHaveLength(1);
  await server.close();
  const read = await askAlone(
    `SELECT indexrelname, idx_tup_read::integer AS read FROM pg_stat_user_indexes
      WHERE indexrelname IN ('users_live_by_name_prefix', 'users_pkey', 'channels_live_by_name', 'channels_pkey') ORDER BY 1`,
    own.url,
  );
  expect(read).toEqual([
    { indexrelname: "channels_live_by_name", read: 3000 },
    { indexrelname: "channels_pkey", read: 1 },
    { indexrelname: "users_live_by_name_prefix", read: 3000 },
    { indexrelname: "users_pkey", read: 1 },
  ]);
  await own.drop();
});

test("looking for expired messages reads only the channels with a period of their own, unless the server has one", async () => {
  const own = await createDatabase();
  await ask(
    `INSERT INTO channels (channel_id, name, created_at, updated_at, retention_days)
    SELECT 'room_' || i, 'Room', i, i, CASE WHEN i % 1000 = 0 THEN 30 END FROM generate_series(1, 3000) AS i`,
    own.url,
  );
  const db = await openDatabase(own.url);
  const step = createSweeper(db, undefined);
  while (await step());
  await db.close();
  const read = await askAlone(
    `SELECT indexrelname, idx_tup_read::integer AS read FROM pg_stat_user_indexes
      WHERE relname = 'channels' AND idx_tup_read > 0`,
    own.url,
  );
  expect(read).toEqual([{ indexrelname: "channels_with_retention", read: 3 }]);
  await own.drop();
});

test("the entries of the audit log for a filter are read, and no others, however many there are", async () => {
  const own = await createDatabase();
  // Like a log of many requests with a few keys: PostgreSQL expects many entries for each key.
  const rare = (name: string, count: number) =>
    `CASE WHEN i % 1000 = 0 THEN 'rare' ELSE '${name}' || i % ${count} END`;
  await ask(
    `INSERT INTO audit_entries (operation, method, status, kind, address, key_id, user_id, channel_id,
      acting_user_id)
    SELECT ${rare("operation_", 20)}, 'PUT', 200, 'sub', '', ${rare("key_", 5)}, ${rare("user_", 900)}, ${rare("room_", 900)},
      CASE WHEN i % 1000 = 500 THEN 'rare' ELSE 'user_' || i % 900 END
    FROM generate_series(1, 3000) AS i`,
    own.url,
  );
  await ask("VACUUM ANALYZE", own.url);
  const db = await openDatabase(own.url);
  for (const name of ["key_id", "user_id", "channel_id", "operation"]) {
    const filters = { [name]: "rare" };
    expect(await listEntries(db, { filters, from: 0, before: newest, count: 31 })).toHaveLength(
      // About the user, and as the user.
      name === "user_id" ? 6 : 3,
    );
  }
  await db.close();
  const read = await askAlone(
    `SELECT indexrelname, idx_tup_read::integer AS read FROM pg_stat_user_indexes
      WHERE relname = 'audit_entries' AND idx_tup_read > 0 ORDER BY 1`,
    own.url,
  );
  expect(read).toEqual([
    { indexrelname: "audit_entries_by_acting_user", read: 3 },
    { indexrelname: "audit_entries_by_channel", read: 3 },
    { indexrelname: "audit_entries_by_key", read: 3 },
    { indexrelname: "audit_entries_by_operation", read: 3 },
    { indexrelname: "audit_entries_by_user", read: 3 },
  ]);
  await own.drop();
});

test("a list of the open reports reads no others, also when none is open", async () => {
  const own = await createDatabase();
  await ask(
    `INSERT INTO reports (report_id, channel_pk, channel_id, reason, status, created_at, updated_at)
    SELECT 'rep_' || i, i, 'room', 'Spam', 'resolved', i, i FROM generate_series(1, 3000) AS i`,
    own.url,
  );
  await ask("VACUUM ANALYZE", own.url);
  const db = await openDatabase(own.url);
  expect(await listReports(db, { status: "open", before: newest, count: 31 })).toEqual([]);
  const resolved = await listReports(db, { status: "resolved", before: newest, count: 2 });
  expect(resolved).toMatchObject([{ reportId: "rep_3000" }, { reportId: "rep_2999" }]);
  // A connection reports what it has counted at the latest when it closes.
  await db.close();
  const [counted] = await ask(
    "SELECT sum(idx_tup_read)::integer AS read FROM pg_stat_user_indexes WHERE relname = 'reports'",
    own.url,
  );
  expect(counted?.read).toBeLessThan(10);
  await own.drop();
});

const ask = (sql: string, url = database.url) => queryOnce(url, sql);

/** Asks when no other connection is left: a connection reports what it has counted at the latest when it ends. */
async function askAlone(sql: string, url: string) {
  const others =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()";
  await expect.poll(() => ask(others, url)).toEqual([]);
  return ask(sql, url);
}
