import { defineConfig } from "vitest/config";

const common = { testTimeout: 180_000, hookTimeout: 180_000 };

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["src/**/*.test.ts"] } },
      { test: { ...common, name: "long", include: ["test/**/*.test.ts"] } },
    ],
  },
});
