import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync } from "node:fs";
import { link, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { SettingError } from "../../errors/service-error";
import { findData } from "./installation";
import { findRunning } from "./running";
import { startEmbeddedPostgres } from "./start";
import { onEmbedded } from "./wait-until-ready";

/** The file with the password that the cluster expects, in the folder of the database and in a backup. */
export const passwordName = "password";

/**
 * Writes the embedded database below `folder` to a compressed archive, of any size and while clients write. The file has
 * its name only when it is complete, and no file is overwritten. Returns its size.
 */
export async function backUp(folder: string, file: string): Promise<number> {
  if (!existsSync(join(folder, passwordName)))
    throw new SettingError(`There is no embedded database in ${folder}. MADANG_DATA_DIR names its folder.`);
  if (existsSync(file)) throw new SettingError(`The file ${file} exists already. Choose another name.`);
  const running = await findRunning(folder);
  const started = running === undefined ? await startEmbeddedPostgres(folder) : undefined;
  const draft = `${file}.${randomUUID()}.part`;
  try {
    await onEmbedded(running ?? started?.url ?? "", (client) =>
      pipeline(
        archive(client, folder),
        createGzip({ level: 1 }),
        createWriteStream(draft, { flags: "wx", mode: 0o600, flush: true }),
      ),
    );
    await link(draft, file);
    return (await stat(file)).size;
  } finally {
    await rm(draft, { force: true });
    await started?.stop();
  }
}

/** What another process of PostgreSQL must not find. The log is copied afterwards. */
const excluded = ["./pg_wal/*", "./pg_replslot/*", "./postmaster.*"].map((path) => `--exclude=${path}`);

/**
 * PostgreSQL's low-level backup as two tar archives, one after the other: the files, then the log that makes them
 * consistent, with the label that says where it begins.
 */
async function* archive(client: pg.Client, folder: string): AsyncGenerator<Buffer> {
  const data = findData(folder);
  const labelFolder = await mkdtemp(join(tmpdir(), "madang-backup-"));
  try {
    // Keeps the log of the time of the backup. The slot ends with the connection.
    await client.query("SELECT pg_create_physical_replication_slot($1, true, true)", [
      `madang_backup_${process.pid}`,
    ]);
    await client.query("SELECT pg_backup_start('madang', true)");
    yield* tar([...excluded, "-C", data, "."]);
    const { rows } = await client.query<{ label: string }>(
      "SELECT labelfile AS label FROM pg_backup_stop(false)",
    );
    await writeFile(join(labelFolder, "backup_label"), rows[0]?.label ?? "", { mode: 0o600 });
    yield* tar(["-C", labelFolder, "backup_label", "-C", folder, passwordName, "-C", data, "pg_wal"]);
  } finally {
    await rm(labelFolder, { recursive: true });
  }
}

async function* tar(words: readonly string[]): AsyncGenerator<Buffer> {
  const child = spawn("tar", ["-cf", "-", ...words], { stdio: ["ignore", "pipe", "pipe"] });
  await once(child, "spawn");
  const ended = Promise.all([once(child, "close"), text(child.stderr)]);
  yield* child.stdout;
  const [[code], problems] = await ended;
  // With 1, files changed or disappeared meanwhile: PostgreSQL's log repairs them.
  if (code !== 0 && code !== 1) throw new Error(`tar failed: ${problems}`);
}
