import { execFile } from "node:child_process";
import { chmod, rm, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** Copies the files of a running cluster, as backup tools do. Returns the data directory of the cluster. */
export async function createBaseBackup(url: string, target: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("SHOW data_directory");
  const data = rows[0]?.data_directory ?? "";
  await client.query("SELECT pg_backup_start('test', true)");
  // A file that disappears during the copy is restored from the log, which is copied afterwards.
  await run("cp", ["-a", data, target]).catch(() => undefined);
  const stopped = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
  await run("cp", ["-a", `${data}/pg_wal/.`, `${target}/pg_wal/`]);
  await writeFile(`${target}/backup_label`, stopped.rows[0]?.labelfile ?? "");
  await chmod(`${target}/backup_label`, 0o666);
  await rm(`${target}/postmaster.pid`, { force: true });
  await client.end();
  return data;
}
