import pg from "pg";
import { expect, test } from "vitest";
import { createDatabase } from "../../../test/support/database";
import { untilBlocking } from "../../../test/support/until-blocking";
import { emptyTables } from "./empty-tables";

test("the tables are emptied although PostgreSQL ends the first attempt as one side of a deadlock", async () => {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(
    "INSERT INTO users (user_id, name, created_at, updated_at) VALUES ('kim_01', 'Kim', 0, 0)",
  );
  // The attempt looks for a deadlock once, when both wait for each other. This client does not, so that it is not the one that ends.
  await client.query(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET deadlock_timeout = '3s'`);
  await client.query("SET deadlock_timeout = '10min'");
  await client.query("BEGIN");
  await client.query("LOCK TABLE webhooks IN ROW EXCLUSIVE MODE");
  const emptied = emptyTables(database.url);
  await untilBlocking(async (sql) => (await client.query(sql)).rows);
  await client.query("LOCK TABLE channels IN ROW EXCLUSIVE MODE");
  await client.query("COMMIT");
  await emptied;
  expect((await client.query("SELECT FROM users")).rowCount).toBe(0);
  await client.end();
  await database.drop();
});
