import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "../../src/db/embedded/start";
import { migrate } from "../../src/db/migrations/migrate";
import { bind } from "../../src/http/listen/bind";
import { startInstalled } from "../faults/installed-postgres";
import { DatabasePool } from "./database-pool";
import { createPostgresFolder } from "./postgres-folder";

export interface TestPostgres {
  readonly url: string;
  /** Without the pooler that `url` goes through: it keeps connections open, and PostgreSQL copies no database that has one. */
  readonly directUrl?: string;
  stop(): Promise<void>;
}

/** The folder with the programs of an installed PostgreSQL to use instead of the one from npm. */
const programs = process.env.MADANG_TEST_POSTGRES;

/** One PostgreSQL with a migrated database for the whole run. Each test file gets a database that equals it. */
export function setup(project: TestProject): Promise<() => Promise<void>> {
  return offerPostgres(project, startTestPostgres);
}

/** Starts PostgreSQL when the first test asks for it, because many need none, and stops it after the last test. */
export async function offerPostgres(
  project: TestProject,
  start: () => Promise<TestPostgres>,
): Promise<() => Promise<void>> {
  let postgres: Promise<TestPostgres & { readonly databases: DatabasePool }> | undefined;
  const starter = createServer((request, response) => {
    postgres ??= start().then((started) => ({
      ...started,
      databases: new DatabasePool(started.url, started.directUrl),
    }));
    postgres
      .then(async ({ url, databases }) => {
        if (request.url !== "/databases") return url;
        if (request.method === "POST") return databases.take();
        await databases.giveBack(await text(request));
      })
      .then(
        (result) => response.end(result),
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
  // Tests need speed and no durability.
  const settings = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=300"];
  const flags = settings.flatMap((setting) => ["-c", setting]);
  if (programs !== undefined) {
    const installed = await startInstalled(programs, flags);
    await migrate(installed.url);
    return installed;
  }
  const folder = await createPostgresFolder();
  const postgres = await startEmbeddedPostgres(folder.path, flags);
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
    /** Responds with the URL of the PostgreSQL of this run, and lends databases (`database-pool.ts`). */
    postgresStarter: string;
  }
}
