import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operations } from "@madang/contract";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ChatClient } from "../src/index";
import { handlers } from "../src/testing/handlers";
import { FakeService } from "../src/testing/index";

const root = join(import.meta.dirname, "..");
const samples = readdirSync(join(root, "samples"));
const readme = readFileSync(join(root, "README.md"), "utf8");

const previous = process.cwd();
const lines: unknown[][] = [];
let folder: string;

beforeEach(async () => {
  const service = new FakeService({ now: Date.parse("2024-01-15T00:00:00Z") });
  const chat = new ChatClient({ baseUrl: "http://fake.test", apiKey: service.apiKey, fetch: service.fetch });
  // What the first sample leaves behind, so that each sample can run after any other, and again.
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.users.create({ user_id: "park_03", name: "Park" });
  await chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01", "park_03"] });
  for (const content of ["one", "two", "three"])
    await chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", content });
  folder = mkdtempSync(join(tmpdir(), "samples-"));
  process.chdir(folder);
  lines.length = 0;
  vi.stubGlobal("fetch", service.fetch);
  vi.stubEnv("MADANG_URL", "http://fake.test");
  vi.stubEnv("MADANG_API_KEY", service.apiKey);
  vi.spyOn(console, "log").mockImplementation((...line) => lines.push(line));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.chdir(previous);
  rmSync(folder, { recursive: true });
});

// What each sample prints on a service with two users, their channel and three messages.
const printed: Record<string, unknown[][]> = {
  "checked.ts": [[2]],
  "errors.ts": [["There is no user nobody_99.", "req_7"]],
  "export.ts": [["6"], ["5"], ["4"], [3, "messages, back to", Date.parse("2024-01-15T00:00:00Z")]],
  "ids.ts": [["b32_5k4yb25pxtwirgcamv4gc3lqnrss4y3pnu", "is", "김민수@example.com"]],
  "lists.ts": [["kim_01"], [2, "users,", 2, "so far"], [1, "and no more"], [2]],
  "quickstart.ts": [["7", "Kim"]],
  "rotation.ts": [["kim_01", 200, 1, "req_7"]],
  "side-by-side.ts": [[[0, 3, 0, 0]]],
  "with-a-fake.ts": [[60_000, 4]],
};

describe("every sample of the README runs", () => {
  test.each(samples)("%s", async (name) => {
    expect(readme).toContain(`\`\`\`ts\n${readFileSync(join(root, "samples", name), "utf8")}\`\`\``);
    await import(join(root, "samples", name));
    expect(lines).toEqual(printed[name]);
  });
});

test("the README contains only programs that run", () => {
  // Those of `examples` run in the tests there.
  const elsewhere = readme.match(/^<!-- sample: examples\/.+ -->$/gm) ?? [];
  expect(readme.match(/^```ts$/gm)?.length).toBe(samples.length + elsewhere.length);
});

/** The methods in a table whose rows begin with a resource, below a heading. */
function listMethods(heading: string): string[] {
  const [, table = ""] = readme.split(heading);
  const [rows = ""] = table.split("\n\n#");
  return [...rows.matchAll(/^\| `(chat\.[\w.]+)` \| (.+) \|$/gm)].flatMap(([, resource, methods = ""]) =>
    [...methods.matchAll(/`([\w.]+)`/g)].map(([, method]) => `${resource}.${method}`),
  );
}

test("the README lists every method", () => {
  const reference = readFileSync(join(root, "docs/reference.md"), "utf8");
  const methods = [...reference.matchAll(/^### `(chat\.[\w.]+)\(/gm)].map(([, method]) => method);
  expect(["chat.request", ...listMethods("# @madang/client\n")].toSorted()).toEqual(methods.toSorted());
});

test("the README lists what the service in memory does not imitate", () => {
  const missing = operations.filter(({ id, variantOf }) => variantOf === undefined && !(id in handlers));
  const methods = [...missing.map(({ id }) => `chat.${id}`), "chat.events.listen"];
  expect(listMethods("### Testing with the real service\n").toSorted()).toEqual(methods.toSorted());
});
