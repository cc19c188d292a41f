import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { withConnection } from "../connection/with-connection";
import { listWorkers } from "./workers";

/** The first version on which the tests have run. */
const minVersion = [13, 2];

/** Checks that the connection leads to the coordinator of a Citus cluster that can take over the channels. */
export async function checkCluster(client: Pick<pg.ClientBase, "query">): Promise<void> {
  const { rows: extensions } = await client.query<{ version: string }>(
    "SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'",
  );
  const version = extensions[0]?.version;
  if (version === undefined)
    throw new SettingError(
      "The database at DATABASE_URL does not have Citus. Add citus to shared_preload_libraries on every node and run CREATE EXTENSION citus there.",
    );
  const [major = 0, minor = 0] = version.split(/[.-]/).map(Number);
  if (major < (minVersion[0] ?? 0) || (major === minVersion[0] && minor < (minVersion[1] ?? 0)))
    throw new SettingError(
      `The database at DATABASE_URL has Citus ${version}. Update it to ${minVersion.join(".")} or later.`,
    );
  const { rows: nodes } = await client.query<Node>(listNodes);
  if (!nodes.some(({ isCoordinator }) => isCoordinator))
    throw new SettingError(
      "The coordinator has no address in the cluster. Run SELECT citus_set_coordinator_host('the address that the workers reach') on it.",
    );
  if (!nodes.some(({ hasShards }) => hasShards))
    throw new SettingError(
      "The cluster has no workers. Run SELECT citus_add_node('address', 5432) on the coordinator for each of them.",
    );
  // One at a time: a node that does not respond ends the query.
  for (const { name, port, isCoordinator } of nodes)
    if (!isCoordinator && !(await isUp(client, name, port)))
      throw new SettingError(
        `The worker ${name}:${port} does not respond. Start it, then run madang-server distribute again.`,
      );
}

/** Rejects a connection that leads to a worker: it has the channels, but not the other tables. */
export async function rejectWorker(client: Pick<pg.ClientBase, "query">): Promise<void> {
  const { rows: catalogs } = await client.query<{ isCitus: boolean }>(
    `SELECT to_regclass('pg_dist_local_group') IS NOT NULL AS "isCitus"`,
  );
  if (catalogs[0]?.isCitus !== true) return;
  const { rowCount } = await client.query("SELECT FROM pg_dist_local_group WHERE groupid <> 0");
  if (rowCount !== 0)
    throw new SettingError("DATABASE_URL is the address of a worker of Citus. Use that of the coordinator.");
}

/**
 * Checks that a server can connect to the workers. One that rejects it is an error of the settings. One that is down is only reported: it
 * comes back.
 */
export async function checkWorkers(url: string, onUnreachable: (error: unknown) => void): Promise<void> {
  const workers = await withConnection(url, (client) => listWorkers(client, url));
  for (const worker of workers)
    try {
      await withConnection(worker, async () => undefined);
    } catch (error) {
      if (error instanceof SettingError)
        throw new SettingError(
          `The database is distributed: servers connect to each worker with the user and password of DATABASE_URL. ${error.message}`,
        );
      onUnreachable(error);
    }
}

interface Node {
  readonly name: string;
  readonly port: number;
  readonly isCoordinator: boolean;
  readonly hasShards: boolean;
}

const listNodes = `SELECT nodename AS name, nodeport AS port, groupid = 0 AS "isCoordinator",
    shouldhaveshards AS "hasShards"
  FROM pg_dist_node WHERE noderole = 'primary' AND isactive ORDER BY nodename, nodeport`;

async function isUp(client: Pick<pg.ClientBase, "query">, name: string, port: number): Promise<boolean> {
  const { rows } = await client.query<{ isUp: boolean }>(
    `SELECT bool_and(success) AS "isUp" FROM master_run_on_worker(ARRAY[$1::text], ARRAY[$2::integer], ARRAY['SELECT 1'], false)`,
    [name, port],
  );
  return rows[0]?.isUp === true;
}
