import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { distribute } from "../../src/db/citus/distribute";
import { withConnection } from "../../src/db/connection/with-connection";
import { migrate } from "../../src/db/migrations/migrate";
import { killProcesses } from "../faults/cluster";
import { handOver, identity, run } from "../faults/installed-postgres";
import { findFreePort } from "./ports";
import { queryOnce } from "./query-once";

/** The folder with the programs of an installed PostgreSQL that has Citus. */
export const citusPrograms = process.env.MADANG_TEST_CITUS;

/** Whether the tests run on a distributed database. */
export const isDistributed = process.env.MADANG_TEST_DISTRIBUTED === "true";

/** A coordinator and its workers. */
export interface CitusCluster {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  /** Starts one more worker that is in no database yet. */
  addNode(): Promise<CitusNode>;
  stop(): Promise<void>;
}

export interface CitusNode {
  readonly port: number;
  /** The folder of its data. */
  readonly data: string;
  urlOf(database: string): string;
  start(): Promise<void>;
  /** Kills every process, like a power failure. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** What the guide tells to set, and nothing else: a setting that only the tests had would hide what others see. */
async function readSettings(page: URL): Promise<string[]> {
  const block = await readGuide(/^```ini\n(shared_preload_libraries[\s\S]*?)^```$/m, page);
  const lines = [...block.matchAll(/^(\S+) = '?([^'\s]+)/gm)];
  return lines.map(([, name, value]) => `${name}=${value}`);
}

const guide = new URL("../../../../docs/guides/distributing.md", import.meta.url);

/** A part of the guide for operators, as they copy it. */
export async function readGuide(part: RegExp, page = guide): Promise<string> {
  const [, found] = part.exec(await readFile(page, "utf8")) ?? [];
  if (found === undefined) throw new Error(`The guide does not contain ${part}.`);
  return found;
}

/** The nodes of a test are on one machine. */
const address = ["listen_addresses=127.0.0.1", "unix_socket_directories="];

/** Starts PostgreSQL with Citus three times, each in its own process. `page` is the guide, which bundled code does not find by itself. */
export async function startCitus(
  programs: string,
  more: readonly string[] = [],
  page = guide,
): Promise<CitusCluster> {
  const folder = await mkdtemp(join(tmpdir(), "madang-citus-"));
  await handOver(folder);
  const settings = [...(await readSettings(page)), ...address, ...more];
  const nodes: CitusNode[] = [];
  const addNode = async () => {
    const node = await createNode(programs, join(folder, String(nodes.length)), settings);
    nodes.push(node);
    return node;
  };
  const coordinator = await addNode();
  const workers = [await addNode(), await addNode()];
  return {
    coordinator,
    workers,
    addNode,
    async stop() {
      for (const node of nodes) await node.stop().catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createNode(programs: string, data: string, flags: readonly string[]): Promise<CitusNode> {
  const port = await findFreePort();
  // Citus connects to its nodes as this user, and looks for certificates in the home folder.
  const as = { ...identity, cwd: tmpdir(), env: { ...process.env, HOME: tmpdir() } };
  const control = (...words: string[]) => run(join(programs, "pg_ctl"), ["-w", "-D", data, ...words], as);
  await run(
    join(programs, "initdb"),
    [`--pgdata=${data}`, "--auth=trust", "--encoding=UTF8", "--locale=C", "--username=madang"],
    as,
  );
  const options = [`-p ${port}`, ...flags.map((flag) => `-c ${flag}`)].join(" ");
  const start = async () => {
    // After a kill, the process may still be known under its id.
    await rm(join(data, "postmaster.pid"), { force: true });
    await control("start", "-l", `${data}.log`, "-o", options);
  };
  await start();
  return {
    port,
    data,
    urlOf: (database) => `postgresql://madang@127.0.0.1:${port}/${database}`,
    start,
    async kill() {
      await killProcesses(data);
    },
    async stop() {
      await control("stop", "-m", "immediate");
    },
  };
}

/** Two on each worker. */
const schemaCount = 4;

/** Creates a database on every node, with its channels on the workers. */
export async function createDistributedDatabase(
  coordinatorUrl: string,
  workerUrls: readonly string[],
  name: string,
): Promise<string> {
  const url = await createOnNodes(coordinatorUrl, workerUrls, name);
  await migrate(url);
  await distribute(url, () => undefined, schemaCount);
  return url;
}

/** Copies a distributed database that is made once, on every node. It takes a fraction of the time. */
export async function copyDistributedDatabase(
  coordinatorUrl: string,
  workerUrls: readonly string[],
  name: string,
): Promise<string> {
  const nodes = [coordinatorUrl, ...workerUrls];
  const { rows } = await withConnection(coordinatorUrl, (client) =>
    client.query("SELECT FROM pg_database WHERE datname = 'distributed'"),
  );
  if (rows.length === 0) {
    await createDistributedDatabase(coordinatorUrl, workerUrls, "distributed");
    for (const node of nodes) await queryOnce(node, "ALTER DATABASE distributed ALLOW_CONNECTIONS false");
  }
  for (const node of nodes) {
    // A process of Citus stays connected for a while.
    await queryOnce(
      node,
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = 'distributed'",
    );
    await queryOnce(node, `CREATE DATABASE ${name} TEMPLATE distributed`);
  }
  return Object.assign(new URL(coordinatorUrl), { pathname: `/${name}` }).href;
}

/** A new distributed database in a cluster that the test has started. */
export const distributeIn = ({ coordinator, workers }: CitusCluster, name: string): Promise<string> =>
  createDistributedDatabase(
    coordinator.urlOf("postgres"),
    workers.map((worker) => worker.urlOf("postgres")),
    name,
  );

/** Creates an empty database on every node of a cluster. */
export async function createOnNodes(
  coordinatorUrl: string,
  workerUrls: readonly string[],
  name: string,
): Promise<string> {
  const nodes = [coordinatorUrl, ...workerUrls].map((url) => new URL(url));
  for (const node of nodes) {
    await queryOnce(node, `CREATE DATABASE ${name}`);
    node.pathname = `/${name}`;
    await queryOnce(node, "CREATE EXTENSION citus");
  }
  const [coordinator, ...workers] = nodes;
  if (coordinator === undefined) throw new Error("A cluster has a coordinator.");
  await queryOnce(coordinator, `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers) await queryOnce(coordinator, `SELECT citus_add_node('127.0.0.1', ${port})`);
  return coordinator.href;
}
