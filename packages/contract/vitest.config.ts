import { defineConfig } from "vitest/config";

/** It copies the repository and runs programs: part of `npm run test:all`. */
const long = ["gate/release.test.ts"];
// Only for tests that hang: the machine may be busy.
const common = { testTimeout: 600_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["{src,gate}/**/*.test.ts"], exclude: long } },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
