import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    main: "src/main.ts",
    baseline: "src/baseline/main.ts",
    "watch-turns": "src/watch-turns.ts",
  },
  format: ["esm"],
  clean: true,
  // `node:sqlite` has no other name.
  removeNodeProtocol: false,
  target: "node24",
  sourcemap: true,
});
