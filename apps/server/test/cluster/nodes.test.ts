import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectToNodes } from "../../src/db/citus/nodes";
import { readSchemaMap } from "../../src/db/citus/schema-map";
import { withConnection } from "../../src/db/with-connection";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import {
  type CitusCluster,
  type CitusNode,
  citusPrograms,
  distributeIn,
  execute,
  startCitus,
} from "../support/citus";
import { startServerOn, type TestServer } from "../support/server";

const database = "direct";
const channelIds = Array.from({ length: 40 }, (_, index) => `channel_${index}`);

let cluster: CitusCluster;
let url: string;
let server: TestServer;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
  url = await distributeIn(cluster, database);
  server = await startServerOn(url, { settings: { MADANG_CITUS_CONNECT_TO: "workers" } });
  await call(server.url, "POST", "/v1/users", { body: { user_id: "ann_1", name: "Ann" } });
  for (const channel_id of channelIds)
    await call(server.url, "POST", "/v1/group/channels", {
      body: { channel_id, name: channel_id, members: ["ann_1"] },
    });
});
afterAll(async () => {
  await server.close();
  await cluster.stop();
});

/** The sessions of the server itself on a node. Those that Citus opens have another name. */
async function countSessions(node: CitusNode): Promise<number> {
  return withConnection(node.urlOf(database), async (client) => {
    const { rows } = await client.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM pg_stat_activity WHERE application_name = 'madang' AND datname = $1",
      [database],
    );
    return rows[0]?.count ?? 0;
  });
}

let sent = 0;
/** Sends without an idempotency key: those are on the coordinator. */
async function send(channelId: string): Promise<number> {
  const body = { user_id: "ann_1", type: "text", content: `message ${sent++}` };
  const { status } = await call(server.url, "POST", `/v1/group/channels/${channelId}/messages`, { body });
  return status;
}

test("a server that connects to the workers has sessions on both", async () => {
  for (const channelId of channelIds) expect(await send(channelId)).toBe(201);
  for (const worker of cluster.workers) expect(await countSessions(worker)).toBeGreaterThan(0);
});

test("the location of a schema is looked up again after its node fails", async () => {
  const schemaMap = await withConnection(url, readSchemaMap);
  const [schema] = schemaMap?.schemas ?? [];
  if (schemaMap === undefined || schema === undefined) throw new Error("The database is distributed.");
  const coordinator = new pg.Pool({ connectionString: url });
  const nodes = connectToNodes(
    { read: () => schemaMap },
    url,
    coordinator,
    (connectionString) => new pg.Pool({ connectionString }),
  );
  const findPort = () =>
    nodes.use(schema, async (pool) => {
      const { rows } = await pool.query("SELECT current_setting('port')::integer AS port");
      return Number(rows[0].port);
    });

  const from = await findPort();
  const to = cluster.workers.find(({ port }) => port !== from)?.port;
  await execute(
    url,
    `SELECT citus_move_shard_placement(${schema.id}, '127.0.0.1', ${from}, '127.0.0.1', ${to}, 'block_writes')`,
  );
  await findPort();
  const lost = new Error("Connection terminated unexpectedly");
  await expect(nodes.use(schema, () => Promise.reject(lost))).rejects.toBe(lost);
  expect(await findPort()).toBe(to);
  for (const pool of [coordinator, ...nodes.listPools()]) await pool.end();
});

test("an inbox is complete while schemas move, and after one is split", async () => {
  const indirect = await startServerOn(url);
  onTestFinished(() => indirect.close());
  const readInbox = async ({ url: base }: TestServer) => {
    const { status, body } = await call(base, "GET", "/v1/users/ann_1/channels?limit=30");
    return status === 200
      ? body.channels.map((channel: { channel_id: string }) => channel.channel_id)
      : status;
  };
  const complete = await readInbox(server);
  expect(complete).toHaveLength(30);
  const { rows: schemas } = await withConnection(url, (client) =>
    client.query<{ id: string; port: number; middle: number }>(
      `SELECT schemaid AS id, nodeport AS port, ((schemaminvalue::bigint + schemamaxvalue::bigint) / 2)::integer AS middle
       FROM pg_dist_schema JOIN pg_dist_shard_placement USING (schemaid)
       WHERE logicalrelid = 'channels'::regclass ORDER BY id DESC LIMIT 3`,
    ),
  );
  for (const { id, port } of schemas) {
    const to = cluster.workers.find((worker) => worker.port !== port)?.port;
    await execute(
      url,
      `SELECT citus_move_shard_placement(${id}, '127.0.0.1', ${port}, '127.0.0.1', ${to}, 'block_writes')`,
    );
    for (const each of [server, indirect]) expect(await readInbox(each)).toEqual(complete);
  }

  const [split] = schemas;
  await execute(
    url,
    `SELECT citus_split_shard_by_split_points(${split?.id}, ARRAY['${split?.middle}'],
      (SELECT array_agg(nodeid) FROM pg_dist_node WHERE groupid <> 0), 'block_writes')`,
  );
  for (const each of [server, indirect]) {
    // The first request learns that the schema is gone.
    expect(await readInbox(each)).toBe(503);
    while ((await readInbox(each)) === 503);
    expect(await readInbox(each)).toEqual(complete);
  }
  for (const channelId of channelIds) expect(await send(channelId)).toBe(201);
});

test("a worker that rejects the user is an error of the settings", async () => {
  await execute(url, "SET citus.enable_create_role_propagation = off; CREATE ROLE only_here SUPERUSER LOGIN");
  const other = new URL(url);
  other.username = "only_here";
  await expect(startProcess(other.href, { MADANG_CITUS_CONNECT_TO: "workers" })).rejects.toThrow(
    "MADANG_CITUS_CONNECT_TO=workers connects to each worker with the user and password of DATABASE_URL.",
  );
});

test("after a worker has left the cluster, at most one request fails", async () => {
  const [, leaving] = cluster.workers;
  if (leaving === undefined) throw new Error("A cluster has two workers.");
  await execute(url, `SELECT citus_drain_node('127.0.0.1', ${leaving.port}, 'force_logical')`);
  await execute(url, `SELECT citus_remove_node('127.0.0.1', ${leaving.port})`);
  for (const channelId of channelIds) await send(channelId);
  await leaving.stop();

  const statuses: number[] = [];
  for (const channelId of channelIds) statuses.push(await send(channelId));
  expect(statuses.filter((status) => status !== 201).length).toBeLessThanOrEqual(1);
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
  expect(await checkData(url)).toEqual({ lost: 0, duplicated: 0, violations: [] });
});
