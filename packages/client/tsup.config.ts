import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing.ts", webhooks: "src/webhooks.ts" },
  format: ["esm", "cjs"],
  // What is marked internal is not part of the published types, nor is what only it mentions.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
  // The licence notice of ky stays beside its code.
  esbuildOptions: (options) => {
    options.legalComments = "inline";
  },
  target: "es2022",
});
