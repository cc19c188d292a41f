import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  clean: true,
  // One package without dependencies, so that `npm create` fetches one file.
  noExternal: [/./],
  onSuccess: "node scripts/templates.mjs",
});
