import { operations } from "@madang/contract";
import type { Result } from "./result.ts";
import { documentPath, runTool } from "./tool.ts";

export async function lintWithRedocly(): Promise<Result> {
  const { output } = await runTool("redocly", [
    "lint",
    documentPath,
    "--config=redocly.yaml",
    "--format=json",
  ]);
  // The documented format of --format=json.
  const { problems } = JSON.parse(output) as { problems: { ruleId: string; message: string }[] };
  return {
    tool: "@redocly/cli",
    operations: operations.length,
    violations: problems.map(({ ruleId, message }) => `${ruleId}: ${message}`),
  };
}

export async function lintWithSpectral(): Promise<Result> {
  const { output } = await runTool("spectral", [
    "lint",
    documentPath,
    "--ruleset=spectral.yaml",
    "--format=json",
    "--quiet",
  ]);
  // The documented format of --format=json.
  const problems = JSON.parse(output) as { code: string; message: string; path: string[] }[];
  return {
    tool: "@stoplight/spectral-cli",
    operations: operations.length,
    violations: problems.map(({ code, message, path }) => `${code} at ${path.join(".")}: ${message}`),
  };
}
