import { documentPath, runTool } from "./tool.ts";

// Generates two clients with third-party tools. This package type-checks and calls them.
await require("openapi-typescript", [
  documentPath,
  "--output",
  "generated/openapi.d.ts",
  "--default-non-nullable=false",
]);
await require("openapi-ts", ["--file", "openapi-ts.config.mjs"]);

async function require(tool: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runTool(tool, args);
  if (code !== 0) throw new Error(`${tool} cannot generate a client:\n${output}`);
}
