// `pnpm run generate`: writes src/generated/ from the contract.
import { mkdirSync, writeFileSync } from "node:fs";
import { operations } from "./model.ts";

const folder = new URL("../src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("operations.ts", folder),
  `// Generated from @madang/contract by \`pnpm run generate\`. Do not edit.
import type { OperationData } from "../operation";

export const operations: readonly OperationData[] = ${JSON.stringify(operations)};
`,
);
