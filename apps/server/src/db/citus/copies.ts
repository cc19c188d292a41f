import type pg from "pg";
import { createCopying } from "./functions";
import { alignColumns, copyStorage } from "./tables";

const users = { schema: "public", name: "users" };
const copies = { schema: "public", name: "user_copies" };

/** Creates the copies of the users and of their blocks on every node, or gives them the columns of `users` and `blocks`. */
export async function alignCopies(client: pg.ClientBase): Promise<void> {
  await alignUserCopies(client);
  await alignBlockCopies(client);
}

async function alignUserCopies(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isKnown: boolean }>(
    `SELECT to_regclass('user_copies') IS NOT NULL AS "isKnown"`,
  );
  if (rows[0]?.isKnown !== true) {
    await client.query("LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE");
    await client.query("CREATE TABLE user_copies (LIKE users INCLUDING STORAGE)");
    await copyStorage(client, users, copies);
    await client.query("ALTER TABLE user_copies ADD PRIMARY KEY (pk)");
    // It contains what a deletion and a suspension change: they then wait, on every node, for the transactions that have locked the
    // copy of the user there.
    await client.query(
      "CREATE UNIQUE INDEX user_copies_ends ON user_copies (pk, deleted_at, suspended_until)",
    );
    await client.query("CREATE INDEX user_copies_to_sweep ON user_copies (deleted_at) WHERE needs_sweep");
    await client.query(
      "CREATE UNIQUE INDEX user_copies_live_user_id_key ON user_copies (user_id) WHERE deleted_at IS NULL",
    );
    await client.query("SELECT create_reference_table('user_copies')");
    await client.query("INSERT INTO user_copies SELECT * FROM users");
  }
  await alignColumns(client, users, copies);
  const columns = await listColumns(client, "users");
  for (const sql of createCopying({ noun: "user", columns, key: ["pk"] })) await client.query(sql);
}

async function alignBlockCopies(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ isKnown: boolean }>(
    `SELECT to_regclass('block_copies') IS NOT NULL AS "isKnown"`,
  );
  if (rows[0]?.isKnown !== true) {
    await client.query("LOCK TABLE blocks IN SHARE ROW EXCLUSIVE MODE");
    await client.query("CREATE TABLE block_copies (LIKE blocks INCLUDING STORAGE)");
    await client.query("ALTER TABLE block_copies ADD PRIMARY KEY (user_pk, blocked_pk)");
    await client.query("CREATE INDEX block_copies_by_blocked ON block_copies (blocked_pk)");
    await client.query("SELECT create_reference_table('block_copies')");
    await client.query("INSERT INTO block_copies SELECT * FROM blocks");
  }
  await alignColumns(
    client,
    { schema: "public", name: "blocks" },
    { schema: "public", name: "block_copies" },
  );
  const columns = await listColumns(client, "blocks");
  for (const sql of createCopying({ noun: "block", columns, key: ["user_pk", "blocked_pk"] }))
    await client.query(sql);
}

async function listColumns(client: pg.ClientBase, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    [table],
  );
  return rows.map(({ name }) => name);
}
