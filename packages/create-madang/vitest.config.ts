import { defineConfig } from "vitest/config";

/** It packs packages and builds pages: part of `npm run test:all`. */
const long = ["test/template.test.ts"];
const common = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["test/*.test.ts"], exclude: long } },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
