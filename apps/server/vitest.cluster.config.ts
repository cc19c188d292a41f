import { defineConfig } from "vitest/config";

const citusPrograms = process.env.MADANG_TEST_CITUS;

/** The interactions, the journeys, the races and the faults on a database that Citus distributes. */
const include = [
  "test/contract/contract.test.ts",
  "test/contract/{audit,event-stream,idempotency,scopes}.test.ts",
  "test/journeys/{blocks,chat,checks,events,export,imports,interrupted,keys,listeners,many,moderation,paging}*.test.ts",
  "test/journeys/{preferences,presence,privacy,push,reactions,replies,retention,reuse,upsert,usage,users,webhooks}*.test.ts",
  "test/browser/chat.test.ts",
  "test/races/**/*.test.ts",
  "test/properties/search.test.ts",
  // The others have a PostgreSQL of their own.
  "test/faults/{audit-killed,restart,search-index,server-killed,soak,stopped,streams,user-deletion,webhooks}.test.ts",
  "test/cluster/**/*.test.ts",
];

if (citusPrograms === undefined)
  process.stdout.write(
    "Skipped: MADANG_TEST_CITUS is not set. Install PostgreSQL with Citus, and set it to the folder that pg_config --bindir prints.\n",
  );

const common = {
  testTimeout: 1_800_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
  fileParallelism: false,
  globalSetup: ["test/support/citus-postgres.ts", "test/support/print-table.ts"],
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects:
      citusPrograms === undefined
        ? []
        : [{ test: { ...common, name: "cluster", include, env: { MADANG_TEST_DISTRIBUTED: "true" } } }],
  },
});
