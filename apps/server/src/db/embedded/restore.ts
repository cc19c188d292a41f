import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { chown, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type pg from "pg";
import { unlessMissing } from "../../errors/thrown";
import { passwordName } from "./back-up";
import { launch, stopCluster, stopOrphan, unfinishedRestoreOf } from "./cluster";
import { createEndpoint, database, urlOf } from "./endpoint";
import type { Identity } from "./identity";
import { type Installation, prepareInstallation } from "./installation";
import { lockFolder, lockOutside } from "./lock-folder";
import { onEmbedded, waitUntilReady } from "./wait-until-ready";

export interface Restored {
  /** The folder of the database that was there before, if there was one. */
  readonly replaced: string | undefined;
  /** How many users, channels and messages the database has. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Changes the restored database before a server uses it. */
type OnRestored = (client: pg.Client) => Promise<void>;

/**
 * Replaces the embedded database below `folder` by a backup. The backup is unpacked, checked and started beside the
 * database first, so that a damaged one changes nothing. The replaced database is kept.
 */
export async function restore(
  folder: string,
  file: string,
  now: Date,
  onRestored: OnRestored,
): Promise<Restored> {
  await mkdir(folder, { recursive: true });
  const locks = [lockFolder(folder)];
  try {
    const installation = await prepareInstallation(folder);
    const { data } = installation;
    locks.push(lockOutside(folder, data));
    const unfinished = unfinishedRestoreOf(data);
    await rm(unfinished, { recursive: true, force: true });
    const password = await unpack(file, unfinished, installation.identity).catch(async (error: Error) => {
      await rm(unfinished, { recursive: true, force: true });
      throw new Error(`${file} is not a complete backup; nothing was changed. ${error.message}`);
    });
    const counts = await check({ ...installation, data: unfinished }, password.trim(), onRestored);
    // A killed server may have left its PostgreSQL running.
    await stopOrphan(installation);
    const suffix = `.replaced-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
    const replaced = await moveAway(data, suffix);
    await moveAway(join(folder, passwordName), suffix);
    await writeFile(join(folder, passwordName), password, { mode: 0o600, flush: true });
    await rename(unfinished, data);
    return { replaced, counts };
  } finally {
    for (const unlock of locks) unlock();
  }
}

/** Unpacks a backup to a new folder, as the user of PostgreSQL, and returns the password that the cluster expects. */
async function unpack(file: string, folder: string, identity: Identity): Promise<string> {
  const { uid, gid } = identity;
  await mkdir(folder, { mode: 0o700 });
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  // A backup has two archives, one after the other.
  const child = spawn("tar", ["--ignore-zeros", "-xf", "-"], {
    ...identity,
    cwd: folder,
    stdio: ["pipe", "ignore", "pipe"],
  });
  await once(child, "spawn");
  const ended = Promise.all([once(child, "close"), text(child.stderr)]);
  // Fails at the end if the checksum is wrong.
  const [read] = await Promise.allSettled([
    pipeline(createReadStream(file), createGunzip(), child.stdin),
    ended,
  ]);
  const [[code], problems] = await ended;
  if (read.status === "rejected") throw read.reason;
  if (code !== 0) throw new Error(`tar failed: ${problems}`);
  const path = join(folder, passwordName);
  const password = await readFile(path, "utf8");
  await rm(path);
  return password;
}

/** Starts PostgreSQL on the unpacked files: it replays the log of the backup, and then everything can be read. */
async function check(
  installation: Installation,
  password: string,
  onRestored: OnRestored,
): Promise<Record<string, number>> {
  const endpoint = await createEndpoint(installation.identity);
  try {
    const url = urlOf(endpoint.authority, password, database);
    await waitUntilReady(launch(installation, endpoint.options), url, installation.log);
    return await onEmbedded(url, async (client) => {
      const { rows } = await client.query(
        "SELECT (SELECT count(*)::int FROM users WHERE deleted_at IS NULL) AS users, (SELECT count(*)::int FROM channels WHERE deleted_at IS NULL) AS channels, (SELECT count(*)::int FROM messages) AS messages",
      );
      await onRestored(client);
      return rows[0];
    });
  } finally {
    await stopCluster(installation);
    await endpoint.remove();
  }
}

/** Returns the new path, or undefined if there is nothing to move. */
const moveAway = (path: string, suffix: string): Promise<string | undefined> =>
  unlessMissing(rename(path, path + suffix).then(() => path + suffix));
