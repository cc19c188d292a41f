import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts", webhooks: "src/verify-webhook.ts" },
  format: ["esm", "cjs"],
  // What is marked internal is not part of the published types, nor is what only it mentions.
  dts: { compilerOptions: { stripInternal: true } },
  clean: true,
  // Keeps the installed package below half a megabyte. Names stay, so that stack traces can be read, and lines end: for an
  // error that nothing catches, Node prints the whole line that threw it. The licence notice of ky stays beside its code.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    options.lineLimit = 80;
    options.legalComments = "inline";
  },
  target: "es2022",
});
