import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { prepareInstallation } from "../../apps/server/src/db/embedded/installation";
import { startEmbeddedPostgres } from "../../apps/server/src/db/embedded/start";
import { createBaseBackup } from "../../apps/server/test/faults/base-backup";
import { readPid, type Testbed } from "./testbed";

export interface Standby {
  readonly url: string;
  readonly pid: number;
}

/** Starts a streaming replica of the testbed's PostgreSQL, with the same settings, and waits until it follows. */
export async function startStandby(
  resources: AsyncDisposableStack,
  { url, flags, database }: Testbed,
): Promise<Standby> {
  const folder = await mkdtemp(join(tmpdir(), "madang-standby-"));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another user, which needs access.
  await chmod(folder, 0o755);
  const { data } = await prepareInstallation(folder);
  await createBaseBackup(url, data);
  await writeFile(join(data, "standby.signal"), "");
  const { hostname, port, username, password } = new URL(url);
  await writeFile(join(folder, "password"), password, { mode: 0o600 });
  const source = `host=${decodeURIComponent(hostname)} port=${port} user=${username} password=${password}`;
  const standby = await startEmbeddedPostgres(folder, [...flags, "-c", `primary_conninfo=${source}`]);
  resources.defer(() => standby.stop());
  const client = new pg.Client({ connectionString: standby.url });
  await client.connect();
  const pid = await readPid(client);
  await client.end();
  const following = "SELECT FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()";
  for (let waited = 0; (await database.query(following)).rowCount === 0; waited += 1) {
    if (waited === maxWaits) throw new Error("The replica does not follow.");
    await sleep(100);
  }
  return { url: standby.url, pid };
}

const maxWaits = 600;
