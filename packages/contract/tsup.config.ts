import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    calendar: "src/rules/calendar.ts",
    csv: "src/rules/csv.ts",
    limits: "src/rules/limits.ts",
  },
  format: ["esm", "cjs"],
  // Those of `tsc`, which is TypeScript 7: made by tsup with TypeScript 6, they would take three times as long.
  dts: {
    entry: {
      index: "generated/types/index.d.ts",
      calendar: "generated/types/rules/calendar.d.ts",
      csv: "generated/types/rules/csv.d.ts",
      limits: "generated/types/rules/limits.d.ts",
    },
  },
  // A failed build keeps the last working output, so that `npm run dev` can restart from it.
  clean: false,
  // Each entry is one file: a chunk that two of them share would have a new name after a change, and the old one would stay.
  splitting: false,
  target: "es2023",
});
