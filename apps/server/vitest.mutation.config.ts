import { defineConfig } from "vitest/config";

// The tests that must detect mutations of the rules: those that need no database.
export default defineConfig({
  test: {
    testTimeout: 30_000,
    include: [
      "src/db/faults.test.ts",
      "src/modules/exports/date-range.test.ts",
      "src/chat/message-id.test.ts",
      "src/chat/messages/page-plan.test.ts",
      "src/http/request/explain-invalid.test.ts",
      "src/security/*.test.ts",
      "src/paging/*.test.ts",
      "src/settings/{settings,types}.test.ts",
    ],
  },
});
