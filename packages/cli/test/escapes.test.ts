import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { listen } from "./support/listen";
import { runInMemory } from "./support/memory-io";

/** All but the end of a line. */
const control = /(?!\n)\p{Cc}/u;
const sequence = "\u001b[31mred\u0007\u009b";
let status = 200;
let body: unknown;
const server = createServer((_, response) => {
  // Headers cannot have most control characters, but those of C1.
  response.writeHead(status, {
    "content-type": status < 400 ? "application/json" : "application/problem+json",
    "x-request-id": "id\u009b31m",
  });
  response.end(JSON.stringify(body));
});
const { url, close } = await listen(server);
const env = { MADANG_URL: url, MADANG_API_KEY: "mk_only-for-tests-0123456789" };
const folder = createFolder();
afterAll(close);

const user = {
  user_id: "kim_01",
  name: "Kim",
  meta: { [sequence]: sequence },
  created_at: 1,
  updated_at: 1,
  [sequence]: sequence,
};
const problem = { status: 404, code: "user_not_found", detail: sequence, errors: [] };

test.each([
  ["a field", ["users", "get", "kim_01"], 200, user],
  ["a field in a list", ["users", "list"], 200, { users: [user], next: undefined }],
  ["next", ["events", "list"], 200, { events: [], next: sequence }],
  ["an error", ["users", "get", "kim_01"], 404, problem],
  ["a debug line", ["users", "get", "kim_01", "--debug"], 404, problem],
])("escape sequences in %s are not printed", async (_, args, given, response) => {
  status = given;
  body = response;
  for (const more of [[], ["--json"]]) {
    const { stdout, stderr } = await runInMemory([...args, ...more], { env });
    expect(stdout + stderr).not.toMatch(control);
    expect(stdout + stderr).toMatch(/u001b|u009b/);
  }
});

test("escape sequences in the name of a file, a column or a row are not printed", async () => {
  const dir = join(folder, sequence);
  mkdirSync(join(dir, "messages"), { recursive: true });
  writeFileSync(join(dir, `messages/${sequence}.ndjson`), `{"${"\\u001b[31m"}":1}\n`);
  writeFileSync(join(dir, "users.csv"), `user_id,${sequence}\nkim_01,Kim\n`);
  for (const args of [["import", "--dry-run"], ["verify"]]) {
    const { stderr } = await runInMemory([...args, dir]);
    expect(stderr).toContain("\\u001b");
    expect(stderr).not.toMatch(control);
  }
});
