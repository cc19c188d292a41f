import { posix } from "node:path";
import { limits } from "@madang/contract";
import { describe, expect, test } from "vitest";
import { type Import, parseSource, readSources, type Source } from "./support/sources";

/** Which of our packages each may name, and whether only for its types. */
const arrows: Readonly<Record<string, { readonly may: readonly string[]; readonly isTypeOnly?: true }>> = {
  "packages/contract/src": { may: [] },
  "packages/contract-tests/src": { may: ["@madang/contract"] },
  "packages/client/src": { may: ["@madang/contract"], isTypeOnly: true },
  "apps/server/src": { may: ["@madang/contract"] },
  "examples/src": { may: ["@madang/client"] },
};

/** A room within a package that may name more, and that no other room of the package may name. */
const apart = { folder: "packages/client/src/testing/", may: "@madang/contract" };

/** The rooms in which each tool may be named. */
const tools: Readonly<Record<string, RegExp>> = {
  express: /^apps\/server\/src\/(app\.ts|http\/|docs\/)/,
  "@ts-rest/express": /^apps\/server\/src\/(app\.ts|http\/|[a-z]+\/handlers\.ts)/,
  "@ts-rest/core": /^(packages\/contract\/src\/|apps\/server\/src\/http\/)/,
  pg: /^apps\/server\/src\/db\//,
  "@prisma/client": /^apps\/server\/src\/db\//,
  "@prisma/adapter-pg": /^apps\/server\/src\/db\//,
  helmet: /^apps\/server\/src\/http\//,
  "temporal-polyfill": /^apps\/server\/src\/exports\/date-range\.ts/,
  "rate-limiter-flexible": /^apps\/server\/src\/rate-limits\//,
  ky: /^packages\/client\/src\/transport\.ts/,
};

/** Tools that a room may name for their types alone. */
const toolTypes: Readonly<Record<string, RegExp>> = {
  // The headers of an answer are kept with it.
  express: /^apps\/server\/src\/idempotency\//,
};

/** What the process hands in. Here it begins: before these have run there is nobody to hand it in. */
const beginnings =
  /^apps\/server\/src\/(main\.ts|start\.ts|serve\.ts|logger\.ts|db\/(open|migrate)\.ts|db\/embedded\/)/;
/** A random pause before something is tried again: it decides nothing, and no test would want to set it. */
const pauses = /^apps\/server\/src\/db\/transaction\.ts/;
const stores = /^apps\/server\/src\/(db\/|[a-z]+\/store\.ts)/;

const serverOrContract = /^(apps\/server|packages\/contract)\/src\//;

/** Every wrong arrow of a source, each as a sentence. */
function findFaults(source: Source): string[] {
  const { path, imports, accesses, numbers } = source;
  const faults = imports.flatMap((one) => [...findWrongArrow(path, one), ...findWrongTool(path, one)]);
  if (!serverOrContract.test(path)) return faults;
  const refuse = (isWrong: boolean, fault: string) => void (isWrong && faults.push(fault));
  refuse(accesses.has("process.env") && !/\/(main|env|start)\.ts$/.test(path), "reads the environment");
  const readsClock = accesses.has("Date.now") || accesses.has("new Date()");
  refuse(readsClock && !beginnings.test(path), "reads the clock");
  refuse(accesses.has("Math.random") && !beginnings.test(path) && !pauses.test(path), "draws by chance");
  const drawn = imports.flatMap(({ names }) => names.filter((name) => /^random/.test(name)));
  refuse(drawn.length > 0 && !beginnings.test(path), `draws by chance: ${drawn.join(", ")}`);
  refuse(accesses.has("prisma") && !stores.test(path), "asks Prisma outside a store");
  for (const number of numbers)
    if (interfaceNumbers.has(number) && !path.endsWith("/limits.ts") && !beginnings.test(path))
      refuse(true, `repeats ${number}, a number of the interface`);
  return faults;
}

function findWrongArrow(path: string, { from, isTypeOnly }: Import): string[] {
  const home = Object.keys(arrows).find((folder) => path.startsWith(`${folder}/`));
  const arrow = home === undefined ? undefined : arrows[home];
  if (home === undefined || arrow === undefined) return [`belongs to no room`];
  if (from.startsWith(".")) {
    const target = posix.join(posix.dirname(path), from);
    const isOwnPackageFile = target === posix.join(home, "../package.json");
    if (!target.startsWith(`${home}/`) && !isOwnPackageFile) return [`leaves its package: ${from}`];
    return target.startsWith(apart.folder) && !path.startsWith(apart.folder)
      ? [`names what is apart: ${from}`]
      : [];
  }
  if (!from.startsWith("@madang/")) return [];
  if (path.startsWith(apart.folder) && from === apart.may) return [];
  if (!arrow.may.includes(from)) return [`names ${from}`];
  return arrow.isTypeOnly && !isTypeOnly ? [`names ${from} for more than its types`] : [];
}

function findWrongTool(path: string, { from, isTypeOnly }: Import): string[] {
  const tool = Object.keys(tools).find((name) => from === name || from.startsWith(`${name}/`));
  const isGenerated = from.includes("/generated/") && !stores.test(path);
  if (isGenerated) return ["names the generated Prisma client"];
  if (tool === undefined || path.startsWith("examples/")) return [];
  return tools[tool]?.test(path) || (isTypeOnly && toolTypes[tool]?.test(path)) ? [] : [`names ${tool}`];
}

/** Those that hardly mean anything else: a 10 may be anything, a 2,048 outside of a buffer is the length of an address. */
const interfaceNumbers = new Set<number>([
  limits.userName.maxLength,
  limits.channelName.maxLength,
  limits.profileUrl.maxLength,
  limits.content.maxLength,
  limits.bodyBytes,
]);

describe.each(Object.keys(arrows))("%s", (folder) => {
  test("every arrow points the right way, and every tool is named in its room", () => {
    const sources = readSources(folder);
    const faults = sources.flatMap((source) => findFaults(source).map((fault) => `${source.path} ${fault}`));
    expect(faults).toEqual([]);
  });
});

test("the rooms are there to be looked at", () => {
  for (const folder of ["packages/contract/src", "packages/client/src", "apps/server/src"])
    expect(readSources(folder).length).toBeGreaterThan(10);
});

test.each([
  ["packages/contract/src/users.ts", `import { refusal } from "@madang/contract-tests";`],
  ["packages/contract/src/users.ts", `import { start } from "../../../apps/server/src/start";`],
  ["packages/contract-tests/src/users.ts", `import { ChatClient } from "@madang/client";`],
  ["packages/client/src/users.ts", `import { contract } from "@madang/contract";`],
  ["packages/client/src/users.ts", `import { type User, limits } from "@madang/contract";`],
  ["packages/client/src/users.ts", `export { limits } from "@madang/contract";`],
  ["packages/client/src/users.ts", `const { limits } = await import("@madang/contract");`],
  ["packages/client/src/users.ts", `import ky from "ky";`],
  ["packages/client/src/users.ts", `import { FakeService } from "./testing/fake-service";`],
  ["apps/server/src/users/handlers.ts", `import { ChatClient } from "@madang/client";`],
  ["apps/server/src/users/handlers.ts", `import type { Request } from "express";`],
  ["apps/server/src/users/store.ts", `import { initServer } from "@ts-rest/express";`],
  ["apps/server/src/users/store.ts", `import pg from "pg";`],
  ["apps/server/src/users/handlers.ts", `import { PrismaClient } from "../db/generated/client";`],
  ["apps/server/src/users/handlers.ts", `export const find = ({ db }) => db.prisma.user.findMany();`],
  ["apps/server/src/users/store.ts", `const port = process.env.PORT;`],
  ["apps/server/src/users/store.ts", `const now = Date.now();`],
  ["apps/server/src/users/store.ts", `const now = new Date();`],
  ["apps/server/src/users/store.ts", `const place = Math.random();`],
  ["apps/server/src/users/store.ts", `import { randomBytes as draw } from "node:crypto";`],
  ["apps/server/src/users/store.ts", `const longest = 2_048;`],
  ["apps/server/src/users/store.ts", `const most = 0x50;`],
  ["examples/src/quickstart.ts", `import { contract } from "@madang/contract";`],
])("a wrong arrow in %s is found: %s", (path, text) => {
  expect(findFaults(parseSource(path, text))).toHaveLength(1);
});

test.each([
  ["packages/client/src/users.ts", `import type { contract } from "@madang/contract";`],
  ["packages/client/src/users.ts", `import { type contract } from "@madang/contract";`],
  ["apps/server/src/http/caller.ts", `import type { Response } from "express";`],
  [
    "apps/server/src/users/store.ts",
    `// process.env, Date.now() and 2_048\nconst text = "Date.now() 2048 ${"${"}process.env}";`,
  ],
  ["apps/server/src/users/store.ts", `const day = new Date(0);`],
])("a right arrow in %s is passed over: %s", (path, text) => {
  expect(findFaults(parseSource(path, text))).toEqual([]);
});
