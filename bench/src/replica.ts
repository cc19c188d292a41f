import { contextOf, createTarget, loadSide, type Target } from "./compare";
import type { Findings } from "./findings";
import type { Measured } from "./load";
import { findOperation } from "./operations/all";
import type { Operation } from "./operations/operation";
import type { Run } from "./run";
import { startStandby } from "./standby";
import { median } from "./statistics";
import { createTestbed } from "./testbed";

let nextUsers = "";
/** A further page: only those are read from a replica. */
const furtherUsers: Operation = {
  id: "users.list.further",
  title: "list 30 users, second page",
  async prepare({ get }) {
    // The response of the contract.
    ({ next: nextUsers } = (await get("/v1/users?limit=30")) as { next: string });
  },
  turn: () => [{ method: "GET", path: `/v1/users?next=${nextUsers}` }],
};

/** The primary serves first pages: with a replica, it also reads the position of its log for the cursor. */
const firstPage = findOperation("exports.100.newest");
const furtherPages = [
  findOperation("exports.100.middle"),
  findOperation("exports.1000.middle"),
  furtherUsers,
];
const rounds = 7;

/** Measures further pages with and without a replica, in turn: what each PostgreSQL spends on a page. */
export async function measureReplica({ settings, resources }: Run): Promise<Findings> {
  const testbed = await createTestbed(resources, settings.sizes);
  const standby = await startStandby(resources, testbed);
  const alone = await createTarget(testbed, await testbed.startServer(), settings);
  const environment = { DATABASE_REPLICA_URL: standby.url };
  const assisted = await createTarget(testbed, await testbed.startServer({ environment }), settings);
  const rows: (readonly string[])[] = [];
  const data: unknown[] = [];
  for (const operation of [...furtherPages, firstPage]) {
    const without: Measured[] = [];
    const withReplica: Measured[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const one = await loadPrepared(alone, operation);
      const other = await loadPrepared(assisted, operation, standby.pid);
      // In the first round, Node compiles hot code.
      if (round > 0) [without.push(one), withReplica.push(other)];
    }
    rows.push(rowOf(operation, without, withReplica));
    data.push({ id: operation.id, without, withReplica });
  }
  return { tables: [[head, ...rows]], notes: [], data };
}

/** The cursor comes from the server that gets it: only a server with a replica writes the position of the log into it. */
async function loadPrepared(target: Target, operation: Operation, ...others: number[]): Promise<Measured> {
  await operation.prepare?.(contextOf(target));
  const measured = await loadSide(
    target,
    operation,
    "server",
    { next: 0 },
    target.settings.measuredMs,
    others,
  );
  if (measured.failed > 0) throw new Error(`${operation.id}: ${measured.failed} requests failed.`);
  return measured;
}

const head = [
  "milliseconds per page",
  "primary, without a replica",
  "primary, with a replica",
  "replica",
  "Node, without",
  "Node, with",
];

function rowOf({ title }: Operation, without: readonly Measured[], withReplica: readonly Measured[]) {
  const of = (measured: readonly Measured[], name: "nodeMs" | "postgresMs" | "othersMs") => {
    const values = measured.map((one) => one[name]);
    const [lowest, middle, highest] = [Math.min(...values), median(values), Math.max(...values)];
    return `${middle.toFixed(3)} (${lowest.toFixed(3)} to ${highest.toFixed(3)})`;
  };
  return [
    title,
    of(without, "postgresMs"),
    of(withReplica, "postgresMs"),
    of(withReplica, "othersMs"),
    of(without, "nodeMs"),
    of(withReplica, "nodeMs"),
  ];
}
