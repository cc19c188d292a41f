import type { TestProject } from "vitest/node";
import { citusPrograms, startCitus } from "./citus";
import { offerPostgres } from "./postgres";

/** As `postgres.ts`, but each test file gets a database that is distributed over two workers. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (citusPrograms === undefined) throw new Error("MADANG_TEST_CITUS is not set.");
  // Tests need speed and no durability.
  const cluster = await startCitus(citusPrograms, [
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
  ]);
  project.provide(
    "citusWorkers",
    cluster.workers.map((worker) => worker.urlOf("postgres")),
  );
  const close = await offerPostgres(project, async () => ({
    url: cluster.coordinator.urlOf("postgres"),
    stop: async () => undefined,
  }));
  // It runs also if no test has asked for it.
  return async () => {
    await close();
    await cluster.stop();
  };
}

declare module "vitest" {
  interface ProvidedContext {
    /** The workers of Citus. Absent in a run on a PostgreSQL that is not distributed. */
    citusWorkers?: readonly string[];
  }
}
