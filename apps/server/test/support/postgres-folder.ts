import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface PostgresFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a temporary data directory for an embedded PostgreSQL. */
export async function createPostgresFolder(): Promise<PostgresFolder> {
  const path = await mkdtemp(join(tmpdir(), "madang-test-"));
  // As root, PostgreSQL runs as another user, which needs access.
  await chmod(path, 0o755);
  return {
    path,
    async remove() {
      // If that user cannot reach the binaries, the data are in another directory behind a symbolic link.
      const links = ["", ...(await readdir(path))].map((name) => join(path, name, "outside"));
      const outside = await Promise.all(links.map((link) => realpath(link).catch(() => path)));
      for (const each of [...outside, path]) await rm(each, { recursive: true, force: true });
    },
  };
}
