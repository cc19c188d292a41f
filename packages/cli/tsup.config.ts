import { defineConfig } from "tsup";

export default defineConfig({
  entry: { main: "src/main.ts", command: "src/command.ts" },
  format: "esm",
  platform: "node",
  target: "node20",
  clean: true,
  // One package without dependencies: `npx` fetches one file, and its versions cannot differ from those tested.
  noExternal: [/./],
  // Commands load what they need when they run.
  splitting: true,
  metafile: true,
  onSuccess: "node scripts/notices.mjs",
  // Commander is CommonJS and requires modules of Node.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});
