import { defineConfig } from "vitest/config";

// The tests by which the rules are judged when they are changed on purpose: see `npm run mutation`.
export default defineConfig({ test: { include: ["src/*.test.ts", "src/openapi/document.test.ts"] } });
