import { defineConfig } from "vitest/config";

/** These suites need the machine for themselves. */
const serial = ["test/races/**/*.test.ts", "test/faults/**/*.test.ts", "test/properties/**/*.test.ts"];
/** Only in the long form: building an image takes minutes. */
const long = ["test/containers/**/*.test.ts"];
const globalSetup = ["test/support/postgres.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "server",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...serial, ...long, "test/cluster/**"],
          globalSetup,
          // These tests wait more than they compute.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // After the others, one file at a time.
        test: {
          name: "serial",
          include: serial,
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
