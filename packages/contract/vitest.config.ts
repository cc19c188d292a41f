import { defineConfig } from "vitest/config";

export default defineConfig({
  // Only for tests that hang: the machine may be busy.
  test: { testTimeout: 60_000 },
});
