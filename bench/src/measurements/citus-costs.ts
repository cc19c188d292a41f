import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { findOperation } from "../operations/all";
import { type Operation, pick } from "../operations/operation";
import type { Measured } from "../results/row";
import { medianOf } from "../results/row";
import { userIdAt } from "../servers/dataset";
import type { Side } from "../servers/side";
import { contextOf, createTarget, loadSide, type Settings, type Target } from "../servers/target";
import { builtServer, type Testbed } from "../servers/testbed";

const rounds = 7;
const measuredMs = 1_000;
/** While each connection plans the statement for each schema. */
const planMs = 8_000;

/** A request on one PostgreSQL, or on the cluster that was made of it. */
export interface OperationCost {
  readonly title: string;
  readonly servers: "one PostgreSQL" | "cluster";
  /** `postgresMs` is that of the coordinator, `othersMs` that of all workers together. */
  readonly measured: Measured;
}

interface Subject {
  readonly operation: Operation;
  readonly side: Side;
  readonly title: string;
  /** How many clients send the request, if not those of the other requests. */
  readonly connections?: number;
}

/** Many users open their list of channels. */
const inboxes: Operation = {
  id: "users.channels.random",
  title: "inboxes of 5 channels, 40 clients",
  turn: (n, _side, { users }) => [{ method: "GET", path: `/v1/users/${userIdAt(pick(n, users))}/channels` }],
};

const subjects: readonly Subject[] = [
  ...["users.get", "users.create", "channels.create", "channels.members.join", "messages.send"].map(keyed),
  ...["messages.list.newest", "exports.100.newest", "users.channels"].map(keyed),
  { operation: inboxes, side: "server", title: inboxes.title, connections: 40 },
  {
    operation: findOperation("messages.send"),
    side: "serverUnkeyed",
    title: "send, over 10,000 channels, without a key",
  },
];

function keyed(id: string): Subject {
  const operation = findOperation(id);
  return { operation, side: "server", title: operation.title };
}

/** Measures requests on one PostgreSQL, then distributes it, and measures them again. */
export async function measureCosts(
  testbed: Testbed,
  settings: Settings,
  { isChosen, schemas }: { isChosen(id: string): boolean; readonly schemas: string },
  workerPids: readonly number[],
): Promise<OperationCost[]> {
  const turns = { next: 0 };
  const chosen = subjects.filter(({ operation }) => isChosen(operation.id));
  const measure = async (otherPids: readonly number[]) => {
    const server = await testbed.startServer({});
    const target = await createTarget(testbed, server, { ...settings, measuredMs });
    const results = new Map<string, Measured>();
    for (const subject of chosen)
      results.set(subject.title, await measureSubject(target, subject, turns, otherPids));
    await server.stop();
    return results;
  };
  const plain = await measure([]);
  await promisify(execFile)(process.execPath, [builtServer, "distribute", "--schemas", schemas], {
    env: { PATH: process.env.PATH ?? "", DATABASE_URL: testbed.url },
  });
  const distributed = await measure(workerPids);
  const costsOf = (
    servers: OperationCost["servers"],
    results: ReadonlyMap<string, Measured>,
    title: string,
  ) => {
    const found = results.get(title);
    return found === undefined ? [] : [{ title, servers, measured: found }];
  };
  return chosen.flatMap(({ title }) => [
    ...costsOf("one PostgreSQL", plain, title),
    ...costsOf("cluster", distributed, title),
  ]);
}

async function measureSubject(
  { settings, ...rest }: Target,
  { operation, side, title, connections = settings.connections }: Subject,
  turns: { next: number },
  workerPids: readonly number[],
): Promise<Measured> {
  const target = { ...rest, settings: { ...settings, connections } };
  await operation.prepare?.(contextOf(target));
  await target.testbed.database.query("VACUUM ANALYZE");
  await loadSide(target, operation, side, turns, planMs, workerPids);
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1)
    all.push(await loadSide(target, operation, side, turns, settings.measuredMs, workerPids));
  const result = medianOf(all);
  if (result.failed > 0) throw new Error(`${title}: ${result.failed} requests failed.`);
  return result;
}
