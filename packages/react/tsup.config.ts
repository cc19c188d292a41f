import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", store: "src/store/index.ts" },
  format: ["esm", "cjs"],
  target: "es2022",
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
