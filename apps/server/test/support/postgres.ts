import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";

/** One real PostgreSQL for the whole run, its database migrated: each test file gets a copy of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "madang-test-"));
  // Run as root, PostgreSQL is another user, who must be able to enter.
  await chmod(folder, 0o755);
  // What is lost in a crash does not matter here; speed does.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];
  const postgres = await startEmbeddedPostgres(
    folder,
    flags.flatMap((flag) => ["-c", flag]),
  );
  await migrate(postgres.url);
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}
