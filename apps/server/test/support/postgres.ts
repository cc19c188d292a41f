import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";
import { createPostgresFolder } from "./postgres-folder";

/** Starts one PostgreSQL with a migrated database for the whole run. Each test file gets a copy of the database. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startTestPostgres();
  project.provide("postgresUrl", url);
  return stop;
}

export async function startTestPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await createPostgresFolder();
  // Tests need speed and no durability.
  const flags = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];
  const postgres = await startEmbeddedPostgres(
    folder.path,
    flags.flatMap((flag) => ["-c", flag]),
  );
  await migrate(postgres.url);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await folder.remove();
    },
  };
}

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
  }
}
