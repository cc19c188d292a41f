import { expect, test } from "vitest";
import { openApiDocument } from "../src/openapi/document";
import type { OpenApiDocument } from "../src/openapi/shape";
import { compareContracts } from "./compare-contracts.ts";

const document = openApiDocument();
/** Each kind of change is in few paths, and comparing them is faster than all. */
function pathsOf(pattern: RegExp): OpenApiDocument {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => pattern.test(path)));
  const used = new Set<string>();
  const collect = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!used.has(name)) {
        used.add(name);
        collect(document.components.schemas[name]);
      }
  };
  collect([paths, document.components.responses]);
  const schemas = Object.entries(document.components.schemas).filter(([name]) => used.has(name));
  return {
    ...document,
    paths,
    components: { ...document.components, schemas: Object.fromEntries(schemas) },
  };
}
const users = pathsOf(/^\/v1\/users(\/\{user_id\})?$/);
const others = pathsOf(/^\/v1\/(applications\/keys|group\/channels(\/\{channel_id\}\/messages)?)$/);

test.each<[name: string, path: string, value: unknown, isBreaking: boolean]>([
  ["an operation is removed", "paths|/v1/users/{user_id}|get", undefined, true],
  ["an operation is added", "paths|/v1/calls", { get: { operationId: "calls.list" } }, false],
  ["an operation is renamed", "paths|/v1/users|post|operationId", "users.add", true],
  ["the master key becomes required", "paths|/v1/users|post|x-madang-access", "master_key", true],
  ["any key becomes allowed", "paths|/v1/applications/keys|get|x-madang-access", "any_key", false],
  ["a request field is removed", "components|schemas|NewUser|properties|meta", undefined, true],
  ["a request field is added", "components|schemas|NewUser|properties|nick", { type: "string" }, false],
  [
    "a request field becomes required",
    "components|schemas|NewUser|required",
    ["user_id", "name", "profile_url"],
    true,
  ],
  ["a request limit shrinks", "components|schemas|NewUser|properties|name|maxLength", 40, true],
  ["a request limit grows", "components|schemas|NewUser|properties|name|maxLength", 100, false],
  ["a pattern changes", "components|schemas|NewUser|properties|user_id|pattern", "^[a-z]*$", true],
  ["a default changes", "components|schemas|NewChannel|properties|reuse|default", true, true],
  ["an unknown keyword appears", "components|schemas|NewUser|properties|name|multipleOf", 2, true],
  ["a request type changes", "components|schemas|NewUser|properties|name|type", "integer", true],
  ["a parameter is removed", "paths|/v1/users|get|parameters|0", undefined, true],
  ["a maximum page size shrinks", "paths|/v1/users|get|parameters|0|schema|maximum", 20, true],
  ["a response field is removed", "components|schemas|SubKey|properties|created_at", undefined, true],
  ["a response field is added", "components|schemas|SubKey|properties|note", { type: "string" }, false],
  ["a response field becomes optional", "components|schemas|SubKey|required", ["key"], true],
  [
    "a response gains an alternative",
    "components|schemas|Message|oneOf|3",
    { type: "object", properties: { type: { const: "poll" } } },
    true,
  ],
  [
    "a request gains an alternative",
    "components|schemas|NewMessage|oneOf|3",
    { type: "object", properties: { type: { const: "poll" } } },
    false,
  ],
  ["a success status is added", "paths|/v1/users|post|responses|200", { description: "", headers: {} }, true],
  [
    "a header is removed",
    "paths|/v1/group/channels|post|responses|201|headers|X-Channel-Created",
    undefined,
    true,
  ],
  ["an error status is removed", "paths|/v1/users|post|responses|413", undefined, false],
  [
    "an error status is added",
    "paths|/v1/users|get|responses|413",
    { $ref: "#/components/responses/PayloadTooLarge" },
    true,
  ],
])("%s", (_name, path, value, isBreaking) => {
  const released = /users|User/.test(path) ? users : others;
  const changes = compareContracts(released, edit(released, path.split("|"), value));
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.some((change) => change.isBreaking)).toBe(isBreaking);
});

test("a change is reported with each operation that has it", () => {
  const path = ["components", "schemas", "NewUser", "properties", "name", "maxLength"];
  const changes = compareContracts(users, edit(users, path, 40));
  expect(changes).toEqual(
    ["POST /v1/users", "PUT /v1/users"].map((operation) => ({
      isBreaking: true,
      operation,
      description: expect.stringContaining("name"),
    })),
  );
});

test("an equal contract has no changes, also with other descriptions and samples", () => {
  const reworded = edit(users, ["paths", "/v1/users", "post", "description"], "Other words.");
  const shown = edit(reworded, ["paths", "/v1/users", "post", "x-codeSamples", "0", "source"], "create();");
  expect(
    compareContracts(users, edit(shown, ["components", "schemas", "User", "description"], "Others.")),
  ).toEqual([]);
});

/** A copy in which one value is set or removed. */
function edit(document: OpenApiDocument, path: readonly string[], value: unknown): OpenApiDocument {
  const copy = structuredClone(document);
  const last = path.at(-1) ?? "";
  let parent: unknown = copy;
  for (const name of path.slice(0, -1)) parent = isRecord(parent) ? parent[name] : undefined;
  if (!isRecord(parent)) throw new Error(`The document has no ${path.join(" ")}.`);
  if (value !== undefined) parent[last] = value;
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
