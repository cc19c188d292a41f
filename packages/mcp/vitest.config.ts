import { defineConfig } from "vitest/config";

const long = ["test/conformance.test.ts"];
// Limits for what hangs, not for what is slow: the machine may be busy.
const common = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["{src,test}/**/*.test.ts"], exclude: long } },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
