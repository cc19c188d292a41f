// `pnpm run generate`: writes src/generated/ from the contract.
import { mkdirSync, writeFileSync } from "node:fs";
import { operations } from "./model.ts";
import { printErrors } from "./print-errors.ts";
import { printParameterRules, printRoutes } from "./print-routes.ts";
import { printShapes } from "./print-shapes.ts";
import { printOperations, printTypes } from "./print-types.ts";

const folder = new URL("../src/generated/", import.meta.url);
mkdirSync(folder, { recursive: true });

write("types.ts", printTypes(operations), printErrors(operations));
write("operations.ts", printOperations(operations));
write(
  "routes.ts",
  'import { array, boolean, either, integer, map, object, optional, type ParameterRule, type Route, string, variants } from "../transport/route";\n',
  printShapes(operations),
  printParameterRules(operations),
  printRoutes(operations),
);

function write(name: string, ...parts: readonly string[]): void {
  const header = "// Generated from @madang/contract by `pnpm run generate`. Do not edit.\n";
  writeFileSync(new URL(name, folder), [header, ...parts].join("\n"));
}
