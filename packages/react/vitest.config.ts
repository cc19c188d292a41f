import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{src,test}/**/*.test.ts"],
    globalSetup: ["test/support/server.ts"],
    // Limits for what hangs, not for what is slow: the machine may be busy.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
  },
});
