import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrate";
import { bind } from "../../src/http/listen/bind";
import { createPostgresFolder } from "./postgres-folder";

export interface TestPostgres {
  readonly url: string;
  stop(): Promise<void>;
}

/** One PostgreSQL with a migrated database for the whole run. Each test file gets a copy of the database. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return offerPostgres(project, startTestPostgres);
}

/** Starts PostgreSQL when the first test asks for it, because many need none, and stops it after the last test. */
export async function offerPostgres(
  project: TestProject,
  start: () => Promise<TestPostgres>,
): Promise<() => Promise<void>> {
  let postgres: Promise<TestPostgres> | undefined;
  const starter = createServer((_request, response) => {
    postgres ??= start();
    postgres.then(
      ({ url }) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  });
  project.provide("postgresStarter", await bind(starter, { PORT: 0, HOST: "127.0.0.1" }));
  return async () => {
    starter.close();
    await postgres?.then(({ stop }) => stop());
  };
}

export async function startTestPostgres(): Promise<TestPostgres> {
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
    /** Responds with the URL of the PostgreSQL of this run. */
    postgresStarter: string;
  }
}
