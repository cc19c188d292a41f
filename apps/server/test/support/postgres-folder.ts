import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PostgresFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder for an embedded PostgreSQL that is thrown away afterwards. */
export async function makePostgresFolder(): Promise<PostgresFolder> {
  const path = await mkdtemp(join(tmpdir(), "madang-test-"));
  // Run as root, PostgreSQL is another user, who must be able to enter.
  await chmod(path, 0o755);
  return {
    path,
    async remove() {
      // Where that user cannot reach the programs nevertheless, the data lie elsewhere, behind a link.
      const links = ["", ...(await readdir(path))].map((name) => join(path, name, "outside"));
      const outside = await Promise.all(links.map((link) => realpath(link).catch(() => path)));
      for (const each of [...outside, path]) await rm(each, { recursive: true, force: true });
    },
  };
}
