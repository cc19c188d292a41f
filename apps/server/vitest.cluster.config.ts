import { defineConfig } from "vitest/config";

const citusPrograms = process.env.MADANG_TEST_CITUS;

/** The interactions, the journeys, the races and the faults on a database that Citus distributes. */
const include = [
  "test/contract/contract.test.ts",
  "test/contract/event-stream.test.ts",
  "test/journeys/{chat,events,export,imports,interrupted,keys,paging,relay,reuse,users,webhooks}*.test.ts",
  "test/races/**/*.test.ts",
  // The others have a PostgreSQL of their own.
  "test/faults/{restart,server-killed,soak,stopped,streams,user-deletion,webhooks}.test.ts",
  "test/cluster/**/*.test.ts",
];

if (citusPrograms === undefined)
  process.stdout.write(
    "Skipped: MADANG_TEST_CITUS is not set. Install PostgreSQL with Citus, and set it to the folder that pg_config --bindir prints.\n",
  );

export default defineConfig({
  test: {
    env: { MADANG_TEST_DISTRIBUTED: "true" },
    passWithNoTests: true,
    include: citusPrograms === undefined ? [] : include,
    testTimeout: 1_800_000,
    hookTimeout: 120_000,
    fileParallelism: false,
    globalSetup:
      citusPrograms === undefined ? [] : ["test/support/citus-postgres.ts", "test/support/print-table.ts"],
  },
});
