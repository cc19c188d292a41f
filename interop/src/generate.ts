import { readFile, writeFile } from "node:fs/promises";
import { parseAllDocuments } from "yaml";
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

// The objects of kubernetes.yaml as literals, which the type check compares with the types of the API: without unknown fields.
const manifest = await readFile(new URL("../../kubernetes.yaml", import.meta.url), "utf8");
const [deployment, service, disruptionBudget, networkPolicy] = parseAllDocuments(manifest).map((document) =>
  JSON.stringify(document.toJS(), null, 2),
);
await writeFile(
  new URL("../generated/kubernetes.ts", import.meta.url),
  `import type { IDeployment } from "kubernetes-models/apps/v1";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import type { IPodDisruptionBudget } from "kubernetes-models/policy/v1";
import type { IService } from "kubernetes-models/v1";

export const deployment = ${deployment} satisfies IDeployment;

export const service = ${service} satisfies IService;

export const disruptionBudget = ${disruptionBudget} satisfies IPodDisruptionBudget;

export const networkPolicy = ${networkPolicy} satisfies INetworkPolicy;
`,
);
