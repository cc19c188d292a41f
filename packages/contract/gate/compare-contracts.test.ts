import { expect, test } from "vitest";
import { openApiDocument } from "../src/openapi/document";
import type { OpenApiDocument } from "../src/openapi/shape";
import { compareContracts } from "./compare-contracts.ts";

const released = openApiDocument();

/** Each a change made on purpose: where, to what (nothing: taken away), and how it must be told. */
const madeChanges: readonly [
  name: string,
  path: string,
  value: unknown,
  isBreaking: boolean,
  told: string,
][] = [
  [
    "a route is gone",
    "paths|/v1/users/{user_id}|get",
    undefined,
    true,
    "GET /v1/users/{user_id}: The operation is gone.",
  ],
  [
    "a route is new",
    "paths|/v1/rooms",
    { get: { operationId: "rooms.list" } },
    false,
    "GET /v1/rooms: The operation is new.",
  ],
  [
    "an operation is renamed",
    "paths|/v1/users|post|operationId",
    "users.add",
    true,
    "POST /v1/users: Its name changes from users.create to users.add.",
  ],
  [
    "only the master key may",
    "paths|/v1/users|post|x-madang-access",
    "master_key",
    true,
    "POST /v1/users: It takes master_key instead of any_key.",
  ],
  [
    "any key may",
    "paths|/v1/applications/keys|get|x-madang-access",
    "any_key",
    false,
    "GET /v1/applications/keys: It takes any_key instead of master_key.",
  ],
  [
    "repeating is no longer safe",
    "paths|/v1/users|get|x-madang-idempotent",
    false,
    true,
    "GET /v1/users: It may no longer be repeated safely.",
  ],

  [
    "a sent field is gone",
    "components|schemas|NewUser|properties|meta",
    undefined,
    true,
    "POST /v1/users, body, meta: The field is gone.",
  ],
  [
    "a sent field is new",
    "components|schemas|NewUser|properties|nick",
    { type: "string" },
    false,
    "POST /v1/users, body, nick: The field is new.",
  ],
  [
    "a sent field becomes required",
    "components|schemas|NewUser|required",
    ["user_id", "name", "profile_url"],
    true,
    "POST /v1/users, body, profile_url: The field must be there now.",
  ],
  [
    "a sent field may be left out",
    "components|schemas|NewUser|required",
    ["user_id"],
    false,
    "POST /v1/users, body, name: The field may be left out now.",
  ],
  [
    "a sent text gets shorter",
    "components|schemas|NewUser|properties|name|maxLength",
    40,
    true,
    "POST /v1/users, body, name: maxLength changes from 80 to 40.",
  ],
  [
    "a sent text gets longer",
    "components|schemas|NewUser|properties|name|maxLength",
    100,
    false,
    "POST /v1/users, body, name: maxLength changes from 80 to 100.",
  ],
  [
    "a sent text has no longest",
    "components|schemas|NewUser|properties|name|maxLength",
    undefined,
    false,
    "POST /v1/users, body, name: maxLength changes from 80 to none.",
  ],
  [
    "a sent text must be longer",
    "components|schemas|NewUser|properties|name|minLength",
    2,
    true,
    "POST /v1/users, body, name: minLength changes from 1 to 2.",
  ],
  [
    "a sent text may be empty",
    "components|schemas|NewUser|properties|name|minLength",
    0,
    false,
    "POST /v1/users, body, name: minLength changes from 1 to 0.",
  ],
  [
    "a pattern changes",
    "components|schemas|NewUser|properties|user_id|pattern",
    "^[a-z]*$",
    true,
    "POST /v1/users, body, user_id: The pattern changes from ^[a-z0-9_]*$ to ^[a-z]*$.",
  ],
  [
    "a pattern is gone",
    "components|schemas|NewUser|properties|user_id|pattern",
    undefined,
    false,
    "POST /v1/users, body, user_id: The pattern ^[a-z0-9_]*$ is gone.",
  ],
  [
    "fewer metadata pairs",
    "components|schemas|NewUser|properties|meta|maxProperties",
    5,
    true,
    "POST /v1/users, body, meta: maxProperties changes from 10 to 5.",
  ],
  [
    "shorter metadata values",
    "components|schemas|NewUser|properties|meta|additionalProperties|maxLength",
    100,
    true,
    "POST /v1/users, body, meta, values: maxLength changes from 200 to 100.",
  ],
  [
    "a body opens",
    "components|schemas|NewUser|additionalProperties",
    undefined,
    false,
    "POST /v1/users, body, values: More are possible.",
  ],
  [
    "a default changes",
    "components|schemas|NewChannel|properties|reuse|default",
    true,
    true,
    "POST /v1/group/channels, body, reuse: default changes from false to true.",
  ],
  [
    "an unknown keyword appears",
    "components|schemas|NewUser|properties|name|multipleOf",
    2,
    true,
    "POST /v1/users, body, name: multipleOf changes from nothing to 2.",
  ],
  [
    "a sent type changes",
    "components|schemas|NewUser|properties|name|type",
    "integer",
    true,
    "POST /v1/users, body, name: The type changes from string to integer.",
  ],
  [
    "a sent whole number may be a fraction",
    "components|schemas|NewFileReference|properties|size|type",
    "number",
    false,
    `POST /v1/group/channels/{channel_id}/messages, body, type "file", file, size: Fractions are possible now.`,
  ],
  [
    "a body becomes required",
    "paths|/v1/users/{user_id}/meta|put|requestBody|required",
    true,
    true,
    "PUT /v1/users/{user_id}/meta, body: The body is required now.",
  ],
  [
    "a body may be left out",
    "paths|/v1/users|post|requestBody|required",
    false,
    false,
    "POST /v1/users, body: The body may be left out now.",
  ],
  [
    "a body is no longer taken",
    "paths|/v1/users/{user_id}/meta|put|requestBody",
    undefined,
    true,
    "PUT /v1/users/{user_id}/meta, body: A body is no longer taken.",
  ],

  [
    "a parameter is gone",
    "paths|/v1/users|get|parameters|0",
    undefined,
    true,
    "GET /v1/users, query limit: The parameter is gone.",
  ],
  [
    "a parameter becomes required",
    "paths|/v1/users|get|parameters|0|required",
    true,
    true,
    "GET /v1/users, query limit: The parameter is required now.",
  ],
  [
    "a page may hold less",
    "paths|/v1/users|get|parameters|0|schema|maximum",
    20,
    true,
    "GET /v1/users, query limit: maximum changes from 30 to 20.",
  ],
  [
    "a page may hold more",
    "paths|/v1/users|get|parameters|0|schema|maximum",
    50,
    false,
    "GET /v1/users, query limit: maximum changes from 30 to 50.",
  ],

  [
    "an answered field is gone",
    "components|schemas|SubKey|properties|created_at",
    undefined,
    true,
    "GET /v1/applications/keys, answer 200, entries, created_at: The field is gone.",
  ],
  [
    "an answered field is new",
    "components|schemas|SubKey|properties|note",
    { type: "string" },
    false,
    "GET /v1/applications/keys, answer 200, entries, note: The field is new.",
  ],
  [
    "an answered field may be absent",
    "components|schemas|SubKey|required",
    ["key"],
    true,
    "GET /v1/applications/keys, answer 200, entries, created_at: The field may be left out now.",
  ],
  [
    "an answered field is always there",
    "components|schemas|ChannelPage|required",
    ["channels", "next"],
    false,
    "GET /v1/group/channels, answer 200, next: The field must be there now.",
  ],
  [
    "an answered value gets bounds",
    "components|schemas|SubKey|properties|key|maxLength",
    60,
    false,
    "GET /v1/applications/keys, answer 200, entries, key: maxLength changes from none to 60.",
  ],
  [
    "an answer has an alternative more",
    "components|schemas|Message|oneOf|2",
    { type: "object", properties: { type: { const: "poll" } } },
    true,
    `POST /v1/group/channels/{channel_id}/messages, answer 201: The alternative type "poll" is new.`,
  ],
  [
    "an answer has an alternative less",
    "components|schemas|Message|oneOf|1",
    undefined,
    false,
    `POST /v1/group/channels/{channel_id}/messages, answer 201: The alternative type "file" is gone.`,
  ],
  [
    "what may be sent has an alternative more",
    "components|schemas|NewMessage|oneOf|2",
    { type: "object", properties: { type: { const: "poll" } } },
    false,
    `POST /v1/group/channels/{channel_id}/messages, body: The alternative type "poll" is new.`,
  ],
  [
    "what may be sent has an alternative less",
    "components|schemas|NewMessage|oneOf|1",
    undefined,
    true,
    `POST /v1/group/channels/{channel_id}/messages, body: The alternative type "file" is gone.`,
  ],
  [
    "an answer loses its body",
    "paths|/v1/users/{user_id}|get|responses|200|content",
    undefined,
    true,
    "GET /v1/users/{user_id}, answer 200: The answer has no body any more.",
  ],
  [
    "an answer gets a body",
    "paths|/v1/users/{user_id}|delete|responses|200|content",
    { "application/json": { schema: {} } },
    true,
    "DELETE /v1/users/{user_id}, answer 200: The answer has a body now.",
  ],
  [
    "a success is gone",
    "paths|/v1/users|post|responses|201",
    undefined,
    true,
    "POST /v1/users, answer 201: The answer is gone.",
  ],
  [
    "a success is new",
    "paths|/v1/users|post|responses|200",
    { description: "", headers: {} },
    true,
    "POST /v1/users, answer 200: The answer is new.",
  ],
  [
    "a header is gone",
    "paths|/v1/group/channels|post|responses|201|headers|X-Channel-Created",
    undefined,
    true,
    "POST /v1/group/channels, answer 201, header X-Channel-Created: The header is gone.",
  ],
  [
    "a header is new",
    "paths|/v1/users|post|responses|201|headers|X-New",
    { $ref: "#/components/headers/X-Request-Id" },
    false,
    "POST /v1/users, answer 201, header X-New: The header is new.",
  ],

  [
    "a code is gone",
    "paths|/v1/users|post|responses|413",
    undefined,
    false,
    "POST /v1/users: It is no longer refused with 413 payload_too_large.",
  ],
  [
    "a code is new",
    "paths|/v1/users|get|responses|413",
    { $ref: "#/components/responses/PayloadTooLarge" },
    true,
    "GET /v1/users: It can be refused with 413 payload_too_large now.",
  ],
];

test.each(madeChanges)("%s", (_name, path, value, isBreaking, told) => {
  const changes = compareContracts(released, edit(released, path.split("|"), value));
  const said = changes.map(({ place, what, ...rest }) => ({ told: `${place}: ${what}`, ...rest }));
  expect(said).toContainEqual({ told, isBreaking });
});

test("a status that changes is told as that", () => {
  const renamed = edit(released, ["paths", "/v1/users", "post", "responses", "422"], {
    $ref: "#/components/responses/PayloadTooLarge",
  });
  const changes = compareContracts(
    released,
    edit(renamed, ["paths", "/v1/users", "post", "responses", "413"], undefined),
  );
  expect(changes).toContainEqual({
    isBreaking: true,
    place: "POST /v1/users",
    what: "The status of payload_too_large changes from 413 to 422.",
  });
});

test("the same contract has no changes, and words are none", () => {
  expect(compareContracts(released, openApiDocument())).toEqual([]);
  const reworded = edit(released, ["paths", "/v1/users", "post", "description"], "Other words.");
  expect(
    compareContracts(released, edit(reworded, ["components", "schemas", "User", "description"], "Others.")),
  ).toEqual([]);
});

/** A copy with one value set, or taken away. */
function edit(document: OpenApiDocument, path: readonly string[], value: unknown): OpenApiDocument {
  const copy = structuredClone(document);
  const last = path.at(-1) ?? "";
  let place: unknown = copy;
  for (const step of path.slice(0, -1)) place = isRecord(place) ? place[step] : undefined;
  if (!isRecord(place)) throw new Error(`There is nothing at ${path.join(" ")} to change.`);
  if (value !== undefined) place[last] = value;
  else if (Array.isArray(place)) place.splice(Number(last), 1);
  else delete place[last];
  return copy;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
