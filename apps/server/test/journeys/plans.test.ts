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
  // A process reads all filters, of which there are at most 100.
  const scanned = await ask(
    "SELECT relname, seq_scan::integer FROM pg_stat_user_tables WHERE seq_scan > 0 AND relname <> 'filters'",
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
