import { afterAll, test } from "vitest";
import { runCase } from "../robustness/case";
import { cases } from "../robustness/cases";
import { startFaultyServer } from "../robustness/serve";

// Here on the Node of the project; `pnpm run robustness` runs the same cases on every runtime.
const server = await startFaultyServer();
afterAll(() => server.close());

test.concurrent.each(cases)("$name", async (one) => {
  await runCase(one, server.url);
});
