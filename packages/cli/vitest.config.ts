import { defineConfig } from "vitest/config";

/** With packing, terminals and much data: part of `npm run test:all`. */
const long = ["test/{data-round-trip,package,packed,terminal,completion}.test.ts"];
/** With commands that are killed, and measured memory: part of `npm run chaos`. */
export const nightly = ["test/{data-interrupted,import-memory}.test.ts"];
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
          exclude: [...long, ...nightly],
          // The files of a worker share its modules: loading them takes longer than most files.
          isolate: false,
        },
      },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
