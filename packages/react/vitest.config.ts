import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** With packing and a bundler: part of `npm run test:all`. */
const long = ["test/package.test.ts"];
// Limits for what hangs, not for what is slow: the machine may be busy.
const common = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Samples name the package.
  alias: { "@madang/react": fileURLToPath(new URL("src/index.ts", import.meta.url)) },
};

// What the stores do with the service is tested in apps/server/test/react.
export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["test/*.test.{ts,tsx}"], exclude: long } },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
