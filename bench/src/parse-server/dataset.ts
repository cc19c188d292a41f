import pg from "pg";
import { historyChannel, type Sizes } from "../dataset";

/** An empty database in the same PostgreSQL as ours. */
export async function createParseDatabase(database: pg.Client): Promise<string> {
  await database.query("CREATE DATABASE parse");
  const { rows } = await database.query("SELECT inet_server_port() AS port");
  const { user, password } = database;
  return `postgresql://${user}:${password}@127.0.0.1:${rows[0].port}/parse`;
}

/**
 * Lets Parse Server create its tables, by an object of each class, and fills them with as many rows as ours have. It
 * gets the indexes that its own queries need, which it does not create by itself.
 */
export async function fillParseDatabase(
  url: string,
  server: string,
  headers: Readonly<Record<string, string>>,
  { users, messages }: Sizes,
): Promise<void> {
  const create = async (className: string, body: object): Promise<string> => {
    const response = await fetch(`${server}/parse/classes/${className}`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.status !== 201) throw new Error(`Parse Server: ${response.status} ${await response.text()}`);
    // Its response to a create.
    return ((await response.json()) as { objectId: string }).objectId;
  };
  const objectId = await create("Person", {
    handle: "first",
    name: "First",
    picture: "https://example.com",
    meta: {},
  });
  const sender = { __type: "Pointer", className: "Person", objectId };
  await create("Channel", { handle: "first", name: "First", members: [sender], meta: {} });
  await create("Message", { channel: "first", sender, type: "text", content: "Hello", meta: {} });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(insertPersons, [users]);
    await client.query(insertMessages, [messages, historyChannel]);
    await client.query('CREATE INDEX ON "Person" ("createdAt" DESC)');
    await client.query('CREATE INDEX ON "Message" ("channel", "createdAt" DESC)');
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

const insertPersons = `INSERT INTO "Person" ("objectId", "createdAt", "updatedAt", handle, name, picture, meta)
  SELECT 'p' || lpad(i::text, 9, '0'), at, at, 'user_' || i, 'Kim Minsu ' || i,
    'https://example.com/pictures/' || i || '.png', jsonb_build_object('team', 'team-' || i % 50, 'locale', 'ko-KR')
  FROM generate_series(1, $1::int) AS i, LATERAL (SELECT timestamptz '2026-01-01' + i * interval '1 ms' AS at) t`;

const insertMessages = `INSERT INTO "Message" ("objectId", "createdAt", "updatedAt", channel, sender, type, content, meta)
  SELECT 'm' || lpad(i::text, 9, '0'), at, at, $2, 'p' || lpad((1 + i % 100)::text, 9, '0'), 'text',
    'See you at noon, I will keep a seat for you near the window; bring the papers. ' || i, '{}'
  FROM generate_series(1, $1::int) AS i, LATERAL (SELECT timestamptz '2026-01-01' + i * interval '7 s' AS at) t`;
