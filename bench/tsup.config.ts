import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    main: "src/main.ts",
    baseline: "src/baseline/main.ts",
    "hook-receiver": "src/servers/hook-receiver.ts",
    "watch-turns": "src/measurements/imports/watch-turns.ts",
  },
  format: ["esm"],
  clean: true,
  // `node:sqlite` has no other name.
  removeNodeProtocol: false,
  target: "node24",
  sourcemap: true,
});
