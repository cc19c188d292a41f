import { afterAll, expect, test } from "vitest";
import { version } from "../../package.json";
import { masterKey, startServer } from "../../test/support/server";

const server = await startServer();
afterAll(() => server.close());

test.each([
  [masterKey, version],
  ["mk_wrong", null],
])("the response to the key %s has the version %s", async (key, expected) => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${server.url}/v1/users`, { headers });
  expect(response.headers.get("Madang-Version")).toBe(expected);
});
