import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // Only for tests that hang: the machine may be busy.
  test: { testTimeout: 60_000 },
  resolve: {
    // The samples import the package by its name; here that is its source.
    alias: {
      "@madang/client/testing": join(import.meta.dirname, "src/testing.ts"),
      "@madang/client": join(import.meta.dirname, "src/index.ts"),
    },
  },
});
