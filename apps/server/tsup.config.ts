import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/main.ts", "src/command.ts", "src/testing.ts"],
  format: ["esm"],
  dts: { entry: "src/testing.ts" },
  // A failed build keeps the last working output, so that `npm run dev` can restart from it.
  clean: false,
  // One name for what both share, so that no outdated file stays behind.
  esbuildOptions: (options) => {
    options.chunkNames = "shared";
  },
  // `node:sqlite` has no other name.
  removeNodeProtocol: false,
  target: "node22",
  sourcemap: true,
});
