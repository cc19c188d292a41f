import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { migrate } from "../../src/db/migrations/migrate";

const own = fileURLToPath(new URL("../../prisma/migrations", import.meta.url));

/** Creates a folder with the migrations of this version and later ones: their files by path. */
export async function addMigrations(later: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "madang-migrations-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(own, folder, { recursive: true });
  for (const [path, sql] of Object.entries(later)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), sql);
  }
  return folder;
}

/** Brings an empty database to the schema of an older version: without the migrations whose names begin with this or a later time. */
export async function migrateUntil(database: string, end: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "madang-migrations-"));
  for (const name of await readdir(own))
    if (name < end) await cp(join(own, name), join(folder, name), { recursive: true });
  await migrate(database, { folder });
  await rm(folder, { recursive: true });
}
