import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  // A failed build keeps the last working output, so that `npm run dev` can restart from it.
  clean: false,
  target: "es2023",
});
