import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { SettingError } from "../../../errors";
import { findRunning } from "../running";
import { startEmbeddedPostgres } from "../start";
import { type BaseBackup, takeBaseBackup } from "./base-backup";
import { writeNewFile } from "./new-file";
import { createTarFile, tarEnd } from "./tar";

export const manifestName = "backup_manifest";
export const passwordName = "madang_password";

/**
 * Writes the embedded database below `folder` to a compressed tar archive, of any size and while clients write. The
 * file has its name only when it is complete. Returns its size.
 */
export async function backUp(folder: string, file: string): Promise<number> {
  const password = await readFile(join(folder, "password"), "utf8").catch(() => {
    throw new SettingError(`There is no embedded database in ${folder}. MADANG_DATA_DIR names its folder.`);
  });
  const running = await findRunning(folder);
  const started = running === undefined ? await startEmbeddedPostgres(folder) : undefined;
  try {
    const url = running ?? started?.url ?? "";
    return await takeBaseBackup(url, (backup) =>
      writeNewFile(file, (target) =>
        pipeline(Readable.from(buildArchive(backup, password)), createGzip({ level: 1 }), target),
      ),
    );
  } finally {
    await started?.stop();
  }
}

/** PostgreSQL's archive with two more files at its end: its manifest, and the password that the cluster expects. */
async function* buildArchive({ archive, manifest }: BaseBackup, password: string): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of archive) {
    const all = Buffer.concat([held, chunk]);
    const sent = Math.max(0, all.length - tarEnd.length);
    held = all.subarray(sent);
    if (sent > 0) yield all.subarray(0, sent);
  }
  if (!held.equals(tarEnd)) throw new Error("PostgreSQL sent an archive without an end.");
  yield createTarFile(manifestName, manifest());
  yield createTarFile(passwordName, Buffer.from(password));
  yield tarEnd;
}
