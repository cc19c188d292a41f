import { defineConfig } from "tsup";

export default defineConfig({
  entry: ["src/index.ts", "src/calendar.ts"],
  format: ["esm", "cjs"],
  dts: true,
  // A failed build keeps the last working output, so that `npm run dev` can restart from it.
  clean: false,
  // One name for what both share, so that no outdated file stays behind.
  esbuildOptions: (options) => {
    options.chunkNames = "shared";
  },
  target: "es2023",
});
