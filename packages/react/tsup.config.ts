import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    store: "src/store/index.ts",
    push: "src/push.ts",
    storage: "src/storage/index.ts",
    "service-worker": "src/service-worker.ts",
  },
  external: ["@madang/react"],
  format: ["esm", "cjs"],
  target: "es2022",
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
});
