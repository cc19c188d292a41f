import { defineConfig } from "vitest/config";

// The tests that must detect mutations of the rules: see `npm run mutation`.
export default defineConfig({
  test: { include: ["src/{rules,errors,access,resources}/*.test.ts", "src/openapi/document.test.ts"] },
});
