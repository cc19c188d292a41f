import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** With packing and compilers: part of `npm run test:all`. */
const long = ["test/{package,hovers,readme}.test.ts"];
const common = {
  // Only for tests that hang: the machine may be busy.
  testTimeout: 600_000,
  hookTimeout: 600_000,
};
const resolve = {
  // The samples import the package by its name; here that is its source.
  alias: {
    "@madang/client/testing": join(import.meta.dirname, "src/testing.ts"),
    "@madang/client": join(import.meta.dirname, "src/index.ts"),
  },
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: { ...common, name: "short", include: ["{src,test,generator}/**/*.test.ts"], exclude: long },
      },
      { resolve, test: { ...common, name: "long", include: long } },
    ],
  },
});
