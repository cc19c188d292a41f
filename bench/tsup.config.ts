import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts", ceiling: "src/ceiling/main.ts", "parse-server": "src/peers/parse-server.ts" },
  format: ["esm"],
  clean: true,
  target: "node20",
  sourcemap: true,
});
