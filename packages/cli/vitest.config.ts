import { defineConfig } from "vitest/config";

export default defineConfig({
  // A limit for what hangs, not for what is slow: the machine may be busy.
  test: { testTimeout: 60_000, hookTimeout: 60_000 },
});
