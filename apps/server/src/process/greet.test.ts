import { expect, test } from "vitest";
import { greet } from "./greet";

const database = { isEmbedded: true, masterKeyFile: ".madang/master-key" };

test("the greeting has the address of the console, if it is served", () => {
  const url = "http://127.0.0.1:3000";
  expect(greet(url, database, true)).toMatch(/^ {2}Console {10}http:\/\/127\.0\.0\.1:3000\/console$/m);
  expect(greet(url, database, false)).not.toContain("/console");
});
