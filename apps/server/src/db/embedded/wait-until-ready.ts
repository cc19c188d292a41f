import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { codeOf } from "../../errors/thrown";
import { openClient } from "../connection/with-connection";

const maxStartMs = 60_000;

export async function waitUntilReady(server: ChildProcess, url: string, log: string): Promise<void> {
  let failure: unknown;
  server.once("error", (error) => {
    failure = error;
  });
  const deadline = Date.now() + maxStartMs;
  while (Date.now() < deadline) {
    const hasEnded = failure !== undefined || server.exitCode !== null || server.signalCode !== null;
    if (hasEnded) break;
    try {
      await onEmbedded(url, async () => undefined);
      return;
    } catch (error) {
      failure = isStillStarting(error) ? undefined : error;
      await sleep(50);
    }
  }
  throw new Error(`The embedded PostgreSQL did not start. See its log: ${log}.`, { cause: failure });
}

export async function createDatabaseOnce(url: string, database: string): Promise<void> {
  await onEmbedded(url, async (client) => {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) await client.query(`CREATE DATABASE "${database}"`);
  });
}

/** Runs the work on a connection of its own. Errors are those of `pg`: the embedded PostgreSQL may just be starting. */
export async function onEmbedded<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await openClient(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** PostgreSQL does not listen yet, or reports that it is starting or recovering. */
function isStillStarting(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ECONNRESET" || code === "57P03";
}
