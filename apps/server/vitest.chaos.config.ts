import { defineConfig } from "vitest/config";

// The long form of the tests in test/chaos: minutes, one file after another, and a table at the end.
process.env.MADANG_CHAOS = "long";

export default defineConfig({
  test: {
    include: ["test/chaos/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/chaos/print-table.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
