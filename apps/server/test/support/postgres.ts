import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";
import { makePostgresFolder } from "./postgres-folder";

/** One real PostgreSQL for the whole run, its database migrated: each test file gets a copy of its own. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await makePostgresFolder();
  // What is lost in a crash does not matter here; speed does.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];
  const postgres = await startEmbeddedPostgres(
    folder.path,
    flags.flatMap((flag) => ["-c", flag]),
  );
  await migrate(postgres.url);
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    await folder.remove();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}
