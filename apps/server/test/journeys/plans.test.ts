import { ChatClient } from "@madang/client";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createIndexer } from "../../src/resources/search/indexer";
import { holdConversation } from "../support/conversation";
import { createDatabase } from "../support/database";
import { masterKey, startServerOn } from "../support/server";

const database = await createDatabase();
afterAll(() => database.drop());

test("with empty tables, statements get plans that stay good when the tables grow: none reads a whole table", async () => {
  // Now PostgreSQL knows that the tables are empty, for which reading all of a table is the cheapest plan.
  await ask("VACUUM ANALYZE");
  const server = await startServerOn(database.url);
  await holdConversation(new ChatClient({ baseUrl: server.url, apiKey: masterKey }));
  const index = createIndexer(server.db, () => Date.now() + 1_000, 0);
  while (await index());
  // A connection reports what it has counted at the latest when it closes.
  await server.close();
  const scanned = await ask("SELECT relname, seq_scan::integer FROM pg_stat_user_tables WHERE seq_scan > 0");
  expect(scanned).toEqual([]);
});

async function ask(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}
