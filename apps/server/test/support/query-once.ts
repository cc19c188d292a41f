import pg from "pg";

/** Runs SQL on a connection of its own, and returns the rows of a single statement. */
export async function queryOnce<Row extends pg.QueryResultRow>(
  url: URL | string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
