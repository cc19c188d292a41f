import { defineConfig } from "vitest/config";

const globalSetup = ["test/support/postgres.ts"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "server",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/chaos/**"],
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // Faults, floods and races want the machine for themselves: after the others, one file at a time.
        test: {
          name: "chaos",
          include: ["test/chaos/**/*.test.ts"],
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
