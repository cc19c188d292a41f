import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  // A failed build keeps the last working output, so that `npm run dev` can restart from it.
  clean: false,
  target: "node20",
  sourcemap: true,
});
