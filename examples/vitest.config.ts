import { defineConfig } from "vitest/config";

/** They run every program and every sample of the guides: part of `npm run test:all`. */
const long = ["test/{guides,assistant,interruptions,client-readme}.test.ts"];
/** They read the pages, and what these name, in the whole repository. */
const repository = ["test/{links,blocks}.test.ts"];
// The files share one server, and some of them its lists.
const common = {
  globalSetup: ["test/server.ts"],
  fileParallelism: false,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: "short", include: ["test/*.test.ts"], exclude: [...long, ...repository] } },
      { test: { name: "repository", include: repository } },
      { test: { ...common, name: "long", include: long } },
    ],
  },
});
