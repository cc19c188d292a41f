import type pg from "pg";
import { clientClassFor } from "./client";
import { connectionStringFor, listHosts } from "./connection-string";
import { explainConnection } from "./explain-connection";

/** Runs the work on a connection of its own, for what the operator asks for. Explains why it cannot connect. */
export async function withConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openFirst(url).catch((error: unknown) => {
    throw explainConnection(url, error);
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** With several hosts, each client tries the next one. */
async function openFirst(url: string): Promise<pg.Client> {
  for (let others = listHosts(url).length - 1; others > 0; others--) {
    const client = await openClient(url).catch(() => undefined);
    if (client !== undefined) return client;
  }
  return openClient(url);
}

/** Opens a connection of its own. Errors are those of `pg`. */
export async function openClient(url: string): Promise<pg.Client> {
  const Client = clientClassFor(url);
  const client = new Client({ connectionString: connectionStringFor(url), connectionTimeoutMillis: 10_000 });
  // A connection lost while idle rejects the next query; without a listener it would end the process first.
  client.on("error", () => undefined);
  await client.connect().catch((error: unknown) => {
    // A connection that failed during the authentication is open still.
    client.connection.stream.destroy();
    throw error;
  });
  return client;
}
