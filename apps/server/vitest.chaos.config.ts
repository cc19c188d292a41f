import { defineConfig } from "vitest/config";

// The long form of the races, faults and properties: one file after another, with a table at the end.
process.env.MADANG_CHAOS = "long";

export default defineConfig({
  test: {
    include: ["test/races/**/*.test.ts", "test/faults/**/*.test.ts", "test/properties/**/*.test.ts"],
    globalSetup: ["test/support/postgres.ts", "test/support/print-table.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
