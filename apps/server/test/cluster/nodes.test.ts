import { afterAll, beforeAll, expect, test } from "vitest";
import { withConnection } from "../../src/db/connection/with-connection";
import { startProcess } from "../faults/process";
import { call } from "../support/call";
import { checkData } from "../support/check-data";
import { type CitusCluster, type CitusNode, citusPrograms, distributeIn, startCitus } from "../support/citus";
import { queryOnce } from "../support/query-once";
import { startServerOn, type TestServer } from "../support/server";

const database = "direct";
const channelIds = Array.from({ length: 40 }, (_, index) => `channel_${index}`);

let cluster: CitusCluster;
let url: string;
let server: TestServer;
beforeAll(async () => {
  cluster = await startCitus(citusPrograms ?? "");
  url = await distributeIn(cluster, database);
  server = await startServerOn(url);
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
async function send(channelId: string): Promise<number> {
  const body = { user_id: "ann_1", type: "text", content: `message ${sent++}` };
  const { status } = await call(server.url, "POST", `/v1/group/channels/${channelId}/messages`, { body });
  return status;
}

test("a server has sessions on every worker", async () => {
  for (const channelId of channelIds) expect(await send(channelId)).toBe(201);
  for (const worker of cluster.workers) expect(await countSessions(worker)).toBeGreaterThan(0);
});

const listSchemas = `SELECT split_part(table_name::text, '.', 1) AS schema, nodeport AS port FROM citus_shards
  WHERE table_name::text LIKE 'channels\\___.channels'`;
const nodeOf = (port: number | undefined) => `(SELECT nodeid FROM pg_dist_node WHERE nodeport = ${port})`;

test("reads and writes are complete while schemas move", async () => {
  const readInbox = async () => {
    const { status, body } = await call(server.url, "GET", "/v1/users/ann_1/channels?limit=30");
    return status === 200
      ? body.channels.map((channel: { channel_id: string }) => channel.channel_id)
      : status;
  };
  const complete = await readInbox();
  expect(complete).toHaveLength(30);
  const { rows: schemas } = await withConnection(url, (client) =>
    client.query<{ schema: string; port: number }>(listSchemas),
  );
  // Also back again: the views of the first time are gone with the tables.
  for (const { schema, port } of [...schemas, ...schemas.map((each) => ({ ...each, port: undefined }))]) {
    const to = port
      ? cluster.workers.find((worker) => worker.port !== port)?.port
      : schemas.find((each) => each.schema === schema)?.port;
    await queryOnce(url, `SELECT citus_schema_move('${schema}', ${nodeOf(to)}, 'block_writes')`);
    expect(await readInbox()).toEqual(complete);
  }
  for (const channelId of channelIds) expect(await send(channelId)).toBe(201);
});

test("a worker that rejects the user is an error of the settings", async () => {
  await queryOnce(
    url,
    "SET citus.enable_create_role_propagation = off; CREATE ROLE only_here SUPERUSER LOGIN",
  );
  const other = new URL(url);
  other.username = "only_here";
  await expect(startProcess(other.href)).rejects.toThrow(
    "servers connect to each worker with the user and password of DATABASE_URL.",
  );
});

test("after a worker has left the cluster, at most one request fails", async () => {
  const [, leaving] = cluster.workers;
  if (leaving === undefined) throw new Error("A cluster has two workers.");
  await queryOnce(url, `SELECT citus_drain_node('127.0.0.1', ${leaving.port}, 'force_logical')`);
  await queryOnce(url, `SELECT citus_remove_node('127.0.0.1', ${leaving.port})`);
  for (const channelId of channelIds) await send(channelId);
  await leaving.stop();

  const statuses: number[] = [];
  for (const channelId of channelIds) statuses.push(await send(channelId));
  expect(statuses.filter((status) => status !== 201).length).toBeLessThanOrEqual(1);
  expect(statuses.every((status) => status === 201 || status === 503)).toBe(true);
  expect(await checkData(url)).toEqual({ lost: 0, duplicated: 0, violations: [] });
});
