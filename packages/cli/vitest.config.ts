import { defineConfig } from "vitest/config";

/** With packing, terminals, much data and commands that are killed: part of `npm run test:all`. */
const long = [
  "test/{data-interrupted,data-round-trip,import-memory,package,packed,terminal,completion}.test.ts",
];
// Limits for what hangs, not for what is slow: the machine may be busy.
const common = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 60_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...common,
          name: "short",
          include: ["{src,test}/**/*.test.ts"],
          exclude: long,
          // The files of a worker share its modules: loading them takes longer than most files.
          isolate: false,
        },
      },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
