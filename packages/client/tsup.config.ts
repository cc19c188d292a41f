import { defineConfig } from "tsup";
import { slimKy } from "./scripts/slim-ky";

export default defineConfig({
  entry: { index: "src/index.ts", check: "src/check.ts", testing: "src/testing/index.ts" },
  format: ["esm", "cjs"],
  // What is marked internal is no part of the published types, and what only it mentions goes with it.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
  target: "es2022",
  esbuildPlugins: [slimKy],
});
