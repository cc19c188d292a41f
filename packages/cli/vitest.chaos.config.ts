import { defineConfig } from "vitest/config";
import { nightly } from "./vitest.config";

// The long form of the tests of exports and imports: one file after another, with a table at the end.
process.env.MADANG_CHAOS = "long";

export default defineConfig({
  test: {
    include: ["test/data-round-trip.test.ts", ...nightly],
    globalSetup: ["../../apps/server/test/support/print-table.ts"],
    testTimeout: 1_800_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
