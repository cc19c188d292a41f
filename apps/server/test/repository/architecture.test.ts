import { readFile } from "node:fs/promises";
import { posix } from "node:path";
import { limits } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { findCycles, findFolderCycles, type Import, parseSource, readSources, type Source } from "./sources";

/** Which of our packages each package may import, and whether only for types. */
const packages: Readonly<Record<string, { readonly may: readonly string[]; readonly isTypeOnly?: true }>> = {
  "packages/contract/src": { may: [] },
  "packages/contract-tests/src": { may: ["@madang/contract"] },
  "packages/client/src": { may: ["@madang/contract"], isTypeOnly: true },
  "apps/server/src": { may: ["@madang/contract"] },
  "packages/cli/src": {
    may: [
      "@madang/client",
      "@madang/client/webhooks",
      "@madang/mcp",
      "@madang/contract",
      "@madang/contract/calendar",
      "@madang/contract/csv",
      "@madang/contract/limits",
    ],
  },
  "packages/mcp/src": { may: ["@madang/client"] },
  // Its entries are external to each other, so that they share a context.
  "packages/react/src": { may: ["@madang/client", "@madang/react"] },
  "examples/src": { may: ["@madang/client"] },
  "apps/console/src": {
    may: [
      "@madang/client",
      "@madang/contract/csv",
      "@madang/contract/limits",
      "@madang/react",
      "@madang/react/store",
    ],
  },
};

/** The folders of the server, from top to bottom. A folder imports only itself and folders below it. */
const folders = [
  "main.ts",
  "command.ts",
  "testing.ts",
  "process",
  "settings",
  "app",
  "modules",
  "chat",
  "jobs",
  "call",
  "write",
  "http",
  "paging",
  "security",
  "db",
  "turns",
  "errors",
  "package-folder.ts",
];

/** The modules in which each library may be imported. */
const libraries: Readonly<Record<string, RegExp>> = {
  express: /^apps\/server\/src\/(app\/|http\/|modules\/(docs|console|files)\/)/,
  "@ts-rest/express": /^apps\/server\/src\/(app\/|http\/|call\/handlers\.ts)/,
  "@ts-rest/core": /^(packages\/contract\/src\/|apps\/server\/src\/(http\/|call\/handlers\.ts))/,
  pg: /^apps\/server\/src\/db\//,
  "@prisma/client": /^apps\/server\/src\/db\//,
  "@prisma/adapter-pg": /^apps\/server\/src\/db\//,
  "@opentelemetry": /^apps\/server\/src\/process\/tracing\.ts/,
  helmet: /^apps\/server\/src\/http\//,
  "temporal-polyfill": /^apps\/server\/src\/modules\/exports\/date-range\.ts/,
  "rate-limiter-flexible": /^apps\/server\/src\/http\/hardening\//,
  ky: /^packages\/client\/src\/transport\/(send|failure)\.ts/,
  // Zod stays out of the commands that check no rows: two of these files import it, the others days, limits and CSV.
  "@madang/contract":
    /^(?!packages\/cli\/src\/(?!(commands\/(import\/(rules|take-back|run-import|import-messages)|operations\/(run-operation|parse-value))|parse-options|data\/(tables\/csv|lists\/list-by-ids))\.ts))/,
  "@clack/prompts": /^packages\/cli\/src\/terminal\/prompts\.ts/,
};

/** Libraries that a module may import only for their types. */
const libraryTypes: Readonly<Record<string, RegExp>> = {
  express: /^apps\/server\/src\/write\//,
  "@opentelemetry": /^apps\/server\/src\/write\/spans\.ts/,
};

/** Where the clock, randomness and settings are injected. */
const entryPoints =
  /^apps\/server\/src\/(process\/(program|start|serve|logger|open-database)\.ts|db\/migrations\/migrate\.ts|db\/embedded\/)/;
/** The jitter of a retry, which no test needs to control. */
const jitter = /^apps\/server\/src\/db\/transaction\.ts/;
/** Where SQL and Prisma are: the database module, the commands, and the files of the chat and of modules that are named store. */
const stores =
  /^apps\/server\/src\/(db\/|write\/(audit\/)?(command|([a-z-]+-)?store)\.ts|(chat|modules)\/([a-z-]+\/)+([a-z-]+-)?store\.ts)/;
const statementNames = ["Statement", "defineCommand", "defineLock", "defineLookup"];

const serverOrContract = /^(apps\/server|packages\/contract)\/src\//;

/** Every violation in a source file. */
function findViolations(source: Source): string[] {
  const { path, imports, accesses, numbers } = source;
  const violations = imports.flatMap((one) => [...checkPackage(path, one), ...checkLibrary(path, one)]);
  if (path.startsWith("apps/server/src/"))
    violations.push(...imports.flatMap(({ from }) => checkModule(path, from)));
  if (!serverOrContract.test(path)) return violations;
  const report = (isViolation: boolean, text: string) => void (isViolation && violations.push(text));
  report(
    accesses.has("process.env") && !/\/process\/(program|start)\.ts$/.test(path),
    "reads the environment",
  );
  const readsClock = accesses.has("Date.now") || accesses.has("new Date()");
  report(readsClock && !entryPoints.test(path), "reads the clock");
  report(accesses.has("Math.random") && !entryPoints.test(path) && !jitter.test(path), "uses randomness");
  const random = imports.flatMap(({ names }) => names.filter((name) => /^random/.test(name)));
  report(random.length > 0 && !entryPoints.test(path), `uses randomness: ${random.join(", ")}`);
  report(accesses.has("prisma") && !stores.test(path), "uses Prisma outside a store");
  const definesStatements = imports.some(({ names }) => names.some((name) => statementNames.includes(name)));
  const isResource = /^apps\/server\/src\/(chat|modules)\//.test(path);
  report(definesStatements && isResource && !stores.test(path), "has SQL outside a store");
  const readsRequests = imports.some(({ from }) => from.includes("/http/"));
  report(readsRequests && stores.test(path), "reads requests in a store");
  const throwsApiErrors = imports.some(({ names }) => names.includes("ServiceError"));
  report(throwsApiErrors && path.startsWith("apps/server/src/db/"), "throws API errors in database code");
  for (const number of numbers)
    if (limitValues.has(number) && !path.endsWith("/limits.ts") && !entryPoints.test(path))
      report(true, `repeats the limit ${number}`);
  return violations;
}

function checkPackage(path: string, { from, isTypeOnly }: Import): string[] {
  const home = Object.keys(packages).find((folder) => path.startsWith(`${folder}/`));
  const allowed = home === undefined ? undefined : packages[home];
  if (home === undefined || allowed === undefined) return ["is in no known package"];
  if (from.startsWith(".")) {
    const target = posix.join(posix.dirname(path), from);
    const isOwnPackageFile = target === posix.join(home, "../package.json");
    return !target.startsWith(`${home}/`) && !isOwnPackageFile ? [`leaves its package: ${from}`] : [];
  }
  if (!from.startsWith("@madang/")) return [];
  if (!allowed.may.includes(from)) return [`imports ${from}`];
  return allowed.isTypeOnly && !isTypeOnly ? [`imports ${from} for more than its types`] : [];
}

function checkModule(path: string, from: string): string[] {
  if (!from.startsWith(".")) return [];
  const target = posix.join(posix.dirname(path), from);
  const [own, other] = [moduleOf(path), moduleOf(target)];
  if (own === undefined) return ["is in no known module"];
  if (other === undefined)
    return target.endsWith("package.json") ? [] : [`imports an unknown module: ${from}`];
  return folders.indexOf(other) < folders.indexOf(own) ? [`imports upward: ${from}`] : [];
}

function moduleOf(path: string): string | undefined {
  const [first = ""] = path.replace("apps/server/src/", "").split("/");
  return folders.find((module) => module === first || module === `${first}.ts`);
}

function checkLibrary(path: string, { from, isTypeOnly }: Import): string[] {
  const library = Object.keys(libraries).find((name) => from === name || from.startsWith(`${name}/`));
  const isGenerated = from.includes("/db/generated/") && !stores.test(path);
  if (isGenerated) return ["imports the generated Prisma client"];
  if (library === undefined || path.startsWith("examples/")) return [];
  const isAllowed = libraries[library]?.test(path) || (isTypeOnly && libraryTypes[library]?.test(path));
  return isAllowed ? [] : [`imports ${library}`];
}

/** Limits that are unlikely to have another meaning. 10 may be anything; 2,048 is the max length of a URL. */
const limitValues = new Set<number>([
  limits.userName.maxLength,
  limits.channelName.maxLength,
  limits.profileUrl.maxLength,
  limits.content.maxLength,
  limits.bodyBytes,
]);

describe.each(Object.keys(packages))("%s", (folder) => {
  const sources = readSources(folder);

  test("imports only what its modules may import", () => {
    expect(sources.length).toBeGreaterThan(4);
    const violations = sources.flatMap((source) =>
      findViolations(source).map((text) => `${source.path} ${text}`),
    );
    expect(violations).toEqual([]);
  });

  test("has no import cycles", () => {
    expect(findCycles(sources)).toEqual([]);
  });
});

test.each(["apps/server/src/chat", "apps/server/src/modules", "packages/client/src"])(
  "the folders of %s import each other in one direction",
  (folder) => {
    expect(findFolderCycles(readSources(folder), folder)).toEqual([]);
  },
);

test("a cycle of folders is found, even if there is none of files", () => {
  const sources = [
    parseSource("src/modules/a/handlers.ts", `import { find } from "../b/store";`),
    parseSource("src/modules/a/store.ts", ""),
    parseSource("src/modules/b/handlers.ts", `import { find } from "../a/store";`),
    parseSource("src/modules/b/store.ts", ""),
  ];
  expect(findCycles(sources)).toEqual([]);
  expect(findFolderCycles(sources, "src/modules")).toEqual(["a → b → a"]);
});

test("CONTRIBUTING.md lists the modules of the server in their order", async () => {
  const page = await readFile(new URL("../../../../CONTRIBUTING.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("The server's modules, from top to bottom");
  const listed = [...table.matchAll(/^\| `([a-z]+)` +\|/gm)].map(([, name]) => name);
  expect(listed).toEqual(folders.filter((name) => !name.endsWith(".ts")));
});

test("a cycle is found and reported once", () => {
  const sources = [
    parseSource("apps/server/src/a.ts", `import { b } from "./b";`),
    parseSource("apps/server/src/b.ts", `import { c } from "./c/c";`),
    parseSource("apps/server/src/c/c.ts", `import type { A } from "../a";`),
    parseSource("apps/server/src/d.ts", `import { a } from "./a";`),
  ];
  expect(findCycles(sources)).toEqual([
    "apps/server/src/a.ts → apps/server/src/b.ts → apps/server/src/c/c.ts → apps/server/src/a.ts",
  ]);
});

test.each([
  ["packages/contract/src/users.ts", `import { listInteractions } from "@madang/contract-tests";`],
  ["packages/contract/src/users.ts", `import { start } from "../../../apps/server/src/start";`],
  ["packages/contract-tests/src/users.ts", `import { ChatClient } from "@madang/client";`],
  ["packages/client/src/users.ts", `import { contract } from "@madang/contract";`],
  ["packages/client/src/users.ts", `import { type User, limits } from "@madang/contract";`],
  ["packages/client/src/users.ts", `export { limits } from "@madang/contract";`],
  ["packages/client/src/users.ts", `const { limits } = await import("@madang/contract");`],
  ["packages/client/src/users.ts", `import ky from "ky";`],
  ["packages/cli/src/session.ts", `import { confirm } from "@clack/prompts";`],
  ["apps/server/src/chat/users/handlers.ts", `import { ChatClient } from "@madang/client";`],
  ["apps/server/src/chat/users/handlers.ts", `import type { Request } from "express";`],
  ["apps/server/src/chat/users/store.ts", `import { initServer } from "@ts-rest/express";`],
  ["apps/server/src/chat/users/store.ts", `import pg from "pg";`],
  ["apps/server/src/chat/users/store.ts", `import { createApp } from "../../app/app";`],
  ["apps/server/src/chat/users/store.ts", `import { localsOf } from "../../http/locals";`],
  ["apps/server/src/db/db.ts", `import { createUser } from "../chat/users/store";`],
  ["apps/server/src/http/health.ts", `import type { Settings } from "../settings/settings";`],
  ["apps/server/src/users/store.ts", `const one = 1;\nimport "../db/db";`],
  ["apps/server/src/chat/users/handlers.ts", `import { PrismaClient } from "../../db/generated/client";`],
  ["apps/server/src/chat/users/handlers.ts", `export const find = ({ db }) => db.prisma.user.findMany();`],
  ["apps/server/src/chat/users/store.ts", `const port = process.env.PORT;`],
  ["apps/server/src/chat/users/store.ts", `const now = Date.now();`],
  ["apps/server/src/chat/users/store.ts", `const now = new Date();`],
  ["apps/server/src/chat/users/store.ts", `const chance = Math.random();`],
  ["apps/server/src/chat/users/store.ts", `import { randomBytes as bytes } from "node:crypto";`],
  ["apps/server/src/chat/users/store.ts", `const max = 2_048;`],
  ["apps/server/src/chat/users/store.ts", `const max = 0x50;`],
  ["examples/src/quickstart.ts", `import { contract } from "@madang/contract";`],
  ["apps/console/src/pages/keys/keys.tsx", `import { contract } from "@madang/contract";`],
  ["apps/console/src/pages/keys/keys.tsx", `import { db } from "../../../../server/src/db/db";`],
])("a violation in %s is found: %s", (path, text) => {
  expect(findViolations(parseSource(path, text))).toHaveLength(1);
});

test.each([
  ["packages/client/src/users.ts", `import type { contract } from "@madang/contract";`],
  ["packages/client/src/users.ts", `import { type contract } from "@madang/contract";`],
  ["packages/cli/src/parse-options.ts", `import { isDay } from "@madang/contract/calendar";`],
  ["apps/server/src/http/locals.ts", `import type { Response } from "express";`],
  ["apps/server/src/chat/users/store.ts", `import { ServiceError } from "../../errors/service-error";`],
  [
    "apps/server/src/chat/users/store.ts",
    `// process.env, Date.now() and 2_048\nconst text = "Date.now() 2048 ${"${"}process.env}";`,
  ],
  ["apps/server/src/chat/users/store.ts", `const day = new Date(0);`],
])("an allowed source in %s passes: %s", (path, text) => {
  expect(findViolations(parseSource(path, text))).toEqual([]);
});
