import { setTimeout as sleep } from "node:timers/promises";
import type { OperationId } from "@madang/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withConnection } from "../../src/db/connection/with-connection";
import type { Database, Db } from "../../src/db/db";
import { changing, SharedChanges } from "../support/changes";
import { checkData } from "../support/check-data";
import { isDistributed } from "../support/citus";
import { createDatabase, openDatabase } from "../support/database";
import { isLong, report, scale } from "../support/report";
import { startServerOn, type TestServer } from "../support/server";

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Database;
let servers: TestServer[] = [];
let changes: SharedChanges;
beforeAll(async () => {
  database = await createDatabase();
  const name = new URL(database.url).pathname.slice(1);
  // PostgreSQL looks for a deadlock after this time, and undoes one of its sides.
  await withConnection(database.url, (client) =>
    client.query(`ALTER DATABASE ${name} SET deadlock_timeout = '20ms'`),
  );
  db = await openDatabase(database.url);
  servers = await Promise.all([
    startServerOn(database.url, { maxConnections: 20, hasBackgroundTasks: true }),
    startServerOn(database.url, {
      maxConnections: 20,
      hasBackgroundTasks: true,
      settings: { MADANG_AUDIT: "changes" },
    }),
  ]);
  changes = new SharedChanges("race");
  await changes.createAll(servers[0]?.url ?? "");
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await db.close();
  await database.drop();
});

const tables = ["users", "sub_keys", "webhooks", "reports"];
const tablesOfSchemas = ["channels", "members", "messages"];

/** Runs work while all rows are locked that no other transaction has locked. */
function whileLocked<Result>(strength: string, work: () => Promise<Result>): Promise<Result> {
  const lock = (table: string) => ({
    name: `lock ${table} ${strength}`,
    text: `SELECT 1 FROM ${table} FOR ${strength} SKIP LOCKED`,
  });
  const inSchemas = async ([schema, ...others]: readonly Db[]): Promise<Result> => {
    if (schema === undefined) return work();
    return schema.transaction(async (part) => {
      for (const table of tablesOfSchemas) await part.query(lock(table));
      return inSchemas(others);
    });
  };
  return db.transaction(async (tx) => {
    for (const table of tables) await tx.query(lock(table));
    return inSchemas(tx.schemas());
  });
}

/**
 * Runs the work while the rows have a further owner, again and again for some milliseconds, as beside many sends and reactions: the
 * lock of a row is then not one transaction, but a list of them.
 */
async function besideWeakLocks(work: () => Promise<void>): Promise<void> {
  let isOver = false;
  const lock = async () => {
    while (!isOver) {
      await whileLocked("KEY SHARE", () => sleep(10));
      await sleep(2);
    }
  };
  const locking = lock();
  await work().finally(() => {
    isOver = true;
  });
  await locking;
}

let round = 0;

/** Makes each change twice at once. All are about the same rows, and wait for these before the first one may proceed. */
async function race(ids: readonly OperationId[]): Promise<void> {
  const about = round++;
  const calls = await whileLocked("NO KEY UPDATE", async () => {
    const made = [...ids, ...ids].map((id, index) =>
      changes.make(servers[index % servers.length]?.url ?? "", id, about),
    );
    await sleep(40);
    return { made };
  });
  await Promise.all(calls.made);
}

/** Erasures, which the long form begins by the hundred, take longer than the races. */
const limit = { timeout: scale(600_000, 3_600_000) };

test("no two changes that share a user, a channel, a message or another row deadlock", limit, async () => {
  const atOnce = 12;
  const turns = scale(4, 40);
  // A change may find what another one has deleted. It has been part of a race once it has succeeded.
  const isOver = (turn: number) =>
    turn > turns && (turn > 40 || changes.listUnsuccessful(changing).length === 0);
  await besideWeakLocks(async () => {
    for (let turn = 1; !isOver(turn); turn++) {
      // Another order, and so other neighbours, in each turn.
      const rank = (id: OperationId) => (changing.indexOf(id) * turn * 7919) % 101;
      const ids = changing.toSorted((one, other) => rank(one) - rank(other));
      for (let first = 0; first < ids.length; first += atOnce) await race(ids.slice(first, first + atOnce));
    }
    // Every pair.
    if (isLong)
      for (const [index, one] of changing.entries())
        for (const other of changing.slice(index)) await race([one, other, one, other]);
  });
  expect(changes.listUnsuccessful(changing)).toEqual([]);
  expect(changes.listFailures()).toEqual([]);
  // An erasure ends the memberships of its user last. After a step that failed, it continues two minutes later, and the long
  // form begins hundreds of them.
  await expect.poll(countRunningErasures, { timeout: scale(150_000, 900_000) }).toBe(0);
  await Promise.all(servers.splice(0).map((server) => server.close()));
  expect(await countDeadlocks()).toBe(0);
  const { violations } = await checkData(database.url);
  const sent = [...changes.counts.values()].reduce((sum, count) => sum + count, 0);
  await report({
    fault: "every change beside every other",
    load: "24 clients, 2 processes",
    sent,
    acknowledged: sent,
  });
  expect(violations).toEqual([]);
});

const countRunningErasures = () =>
  withConnection(database.url, async (client) => {
    const { rowCount } = await client.query(
      "SELECT FROM erasures WHERE status = 'running' UNION ALL SELECT FROM users WHERE needs_sweep",
    );
    return rowCount;
  });

const countOfNode = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";

/** The processes have ended, so PostgreSQL has counted all of them. Citus does not count those between nodes. */
const countDeadlocks = () =>
  withConnection(database.url, async (client) => {
    const { rows } = await client.query<{ deadlocks: string }>(
      isDistributed
        ? `SELECT sum(result::integer) AS deadlocks FROM run_command_on_all_nodes($$${countOfNode}$$)`
        : countOfNode,
    );
    return Number(rows[0]?.deadlocks);
  });
