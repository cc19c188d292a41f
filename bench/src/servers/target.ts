import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { measure } from "../load/load";
import type { Context, Operation } from "../operations/operation";
import type { Options } from "../options";
import type { Measured } from "../results/row";
import type { Sizes } from "./dataset";
import type { ServerProcess } from "./server-process";
import type { Side } from "./side";
import { createSubKey, type Testbed } from "./testbed";

/** The input of a part of the benchmark. */
export interface Run {
  readonly options: Options;
  readonly settings: Settings;
  /** Everything that the run starts is disposed with these. */
  readonly resources: AsyncDisposableStack;
}

export interface Settings {
  readonly sizes: Sizes;
  readonly connections: number;
  readonly rounds: number;
  /** The max number of measurements of a row whose rounds spread too far. */
  readonly attempts: number;
  /** Before the first round of an operation, while Node compiles hot code. */
  readonly compileMs: number;
  /** Before each measured time, while connections open and caches fill. */
  readonly warmUpMs: number;
  readonly measuredMs: number;
}

/** A server, and what the load needs. */
export interface Target {
  readonly testbed: Testbed;
  readonly server: ServerProcess;
  readonly apiKey: string;
  /** Sent with every request: the credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly settings: Settings;
}

/** Also waits until the server has indexed all messages for the search, which it does once, after the seed. */
export async function createTarget(
  testbed: Testbed,
  server: ServerProcess,
  settings: Settings,
): Promise<Target> {
  await waitForIndex(testbed.database);
  const apiKey = await createSubKey(server.url);
  return { testbed, server, settings, apiKey, headers: { authorization: `Bearer ${apiKey}` } };
}

async function waitForIndex(database: pg.Client): Promise<void> {
  // Another build may have no search.
  const exists = async (table: string) =>
    (await database.query("SELECT to_regclass($1) IS NOT NULL AS found", [table])).rows[0].found;
  if (!(await exists("search_blocks"))) return;
  const indexed = (await exists("consumers"))
    ? "SELECT FROM consumers WHERE name LIKE 'search build %' AND position = 9007199254740991"
    : "SELECT FROM search_positions WHERE walked_pk IS NULL";
  const isIndexed = async () => (await database.query(indexed)).rows.length > 0;
  while (!(await isIndexed())) await sleep(500);
}

export async function loadSide(
  target: Target,
  operation: Operation,
  side: Side,
  turns: { next: number },
  measuredMs = target.settings.measuredMs,
  others: readonly number[] = [],
): Promise<Measured> {
  const { testbed, server, headers, settings } = target;
  const maxTurns = Math.ceil(((settings.warmUpMs + 2 * measuredMs) / 1_000) * maxTurnsPerSecond);
  await operation.refill?.(contextOf(target), side, turns.next, maxTurns);
  return measure({
    ...settings,
    measuredMs,
    operation,
    side,
    turns,
    url: server.url,
    headers,
    pids: { node: server.pid, postgres: testbed.postgresPids, others },
  });
}

const maxTurnsPerSecond = 10_000;

export function contextOf({ testbed, server, headers, settings }: Target): Context {
  const get = async (path: string) => {
    const response = await fetch(server.url + path, { headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return { sizes: settings.sizes, database: testbed.database, get };
}
