import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { runCase } from "../robustness/bench";
import { cases } from "../robustness/cases";
import { scripts } from "../robustness/scripts";
import { createFaultyServer } from "../robustness/wire";

// Here on the Node of the project; `pnpm run robustness` runs the same cases on every runtime.
const server = createFaultyServer(scripts);
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

test.concurrent.each(cases)("$name", async (one) => {
  await runCase(one, url);
});
