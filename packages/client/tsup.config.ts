import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts", webhooks: "src/verify-webhook.ts" },
  format: ["esm", "cjs"],
  // What is marked internal is not part of the published types, nor is what only it mentions.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
  target: "es2022",
});
