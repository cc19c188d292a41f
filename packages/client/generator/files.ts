import { descriptions, operations } from "./model.ts";
import { printErrors } from "./print-errors.ts";
import { printQueries } from "./print-queries.ts";
import { printResources } from "./print-resources.ts";
import { printParameterRules, printRoutes } from "./print-routes.ts";
import { printShapes } from "./print-shapes.ts";
import { printOperations, printTypes } from "./print-types.ts";

const resources = [printQueries(operations), printResources(operations, descriptions)].join("\n");

/** The files of src/generated, by name. */
export const files: Readonly<Record<string, string>> = {
  "types.ts": print(printTypes(operations), printErrors(operations)),
  "operations.ts": print(printOperations(operations)),
  "routes.ts": print(
    'import { array, boolean, either, integer, map, object, optional, type ParameterRule, type Route, string, variants } from "../route";\n',
    printShapes(operations),
    printParameterRules(operations),
    printRoutes(operations),
  ),
  "resources.ts": print(
    `import type { ${typesIn(resources).join(", ")} } from "./types";
import type { CallOptions } from "../options";
import { createPager } from "../paging/create-pager";
import type { ListOptions, Page } from "../paging/page";
import type { Pager } from "../paging/pager";
import { readUserPage } from "../paging/user-pages";
import type { Api } from "../resources/api";
import { deleteEach } from "../resources/delete-each";
`,
    resources,
  ),
};

function print(...parts: readonly string[]): string {
  return ["// Generated from @madang/contract by `pnpm run generate`. Do not edit.\n", ...parts].join("\n");
}

/** The named types of the contract that the code uses. */
function typesIn(code: string): string[] {
  const types = printTypes(operations);
  const names = [...types.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name = ""]) => name);
  const used = new Set(code.replaceAll(/^ *(?:\/\*\*| \*).*$/gm, "").match(/\b[A-Z]\w+/g));
  return names.filter((name) => used.has(name)).toSorted();
}
