import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { runCase } from "../hostile/bench";
import { cases } from "../hostile/cases";
import { scripts } from "../hostile/scripts";
import { createHostileServer } from "../hostile/wire";

// Here on the Node of the project; `pnpm run hostile` runs the same cases on every runtime.
const server = createHostileServer(scripts);
let url: string;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

test.concurrent.each(cases)("$name", { timeout: 60_000 }, async (hostile) => {
  await runCase(hostile, url);
});
