// `pnpm run generate`: writes src/generated/ from the contract.
import { mkdirSync, writeFileSync } from "node:fs";
import { eventTypes } from "@madang/contract";
import { endTimeFields, groups, lists, operations, secretFields, timeFields } from "./model.ts";

const folder = new URL("../src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL("operations.ts", folder),
  `// Generated from @madang/contract by \`pnpm run generate\`. Do not edit.
import type { OperationData } from "../commands/operations/operation";

export const operations: readonly OperationData[] = ${JSON.stringify(operations, null, 2)};

/** What each group of operations is for. */
export const groups: Readonly<Record<string, string>> = ${JSON.stringify(groups, null, 2)};

export const eventTypes: readonly string[] = ${JSON.stringify(eventTypes)};

/** Fields that hold a key or a secret. */
export const secretFields: readonly string[] = ${JSON.stringify(secretFields)};

/** Fields that hold a time, in milliseconds. */
export const timeFields: readonly string[] = ${JSON.stringify(timeFields)};

/** Those in which 0 is without end. */
export const endTimeFields: readonly string[] = ${JSON.stringify(endTimeFields)};
`,
);
writeFileSync(
  new URL("lists.ts", folder),
  `// Generated from @madang/contract by \`pnpm run generate\`. Do not edit.
import type { Column } from "../data/tables/column";

/** The columns of the entries of each list. */
export const lists = ${JSON.stringify(lists)} satisfies Readonly<Record<string, readonly Column[]>>;
`,
);
