import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    store: "src/store/index.ts",
    storage: "src/storage/index.ts",
    "service-worker": "src/service-worker.ts",
  },
  format: ["esm", "cjs"],
  target: "es2022",
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
