import { ids } from "@madang/client";
import { exampleCall, operations } from "@madang/contract";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { operations as generated } from "../src/generated/operations";
import { runInMemory } from "./support/memory-io";
import { type Reply, startRecordingServer } from "./support/recording-server";

const key = "sk_only-for-tests-0123456789";
let reply: Reply = { status: 200 };
let earlierReplies: Reply[] = [];
const server = await startRecordingServer(() => earlierReplies.shift() ?? reply);
const env = { MADANG_URL: server.url, MADANG_API_KEY: key };

beforeEach(() => void server.requests.splice(0));
afterAll(() => server.close());

const own = operations.filter(({ variantOf }) => variantOf === undefined);

test("every operation of the contract is a command", () => {
  expect(generated.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
});

describe.each(own)("$id", ({ id, route, examples }) => {
  const { params, query, body } = exampleCall(id);
  const { example = [], query: filters = [] } = generated.find((each) => each.id === id) ?? {};
  const isPaged = filters.some(({ name }) => name === "next");
  const secret = Object(body).key;

  test("sends the example of the contract", async () => {
    const status = Number(Object.keys(route.responses).find((code) => Number(code) < 300));
    const [response] = Object.values(examples.responses ?? {});
    reply = { status, ...(response && { body: response.value }) };
    const args = [...example, ...(isPaged ? ["--limit", "1"] : []), "--json"];
    const { exitCode, stderr } = await runInMemory(args, { env, input: `${secret}\n` });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: response ? "" : "Done.\n" });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: route.method,
      path: route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? "")),
      body: body === undefined ? undefined : JSON.parse(JSON.stringify(body)),
    });
    // The command chooses the size of a page.
    const { limit: _, ...rest } = query;
    const { limit: __, ...sent } = request?.query ?? {};
    expect(sent).toEqual(rest);
  });

  test("has a help text", async () => {
    const { exitCode, stdout } = await runInMemory([...example.slice(0, id.split(".").length), "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Usage: madang ");
    expect(stdout).toContain("$ madang ");
  });
});

test.each([
  [3, "3 messages"],
  [0, "Reactions, mentions or reports"],
])("an erasure can be waited for, and that %i messages are on hold is reported once", async (held, kept) => {
  const erased = { messages: 1, memberships: 1, channels: 1 };
  const started = { erasure_id: "era_1", user_id: "kim_01", messages: "erase", created_at: 1 };
  const running = { ...started, status: "running", erased: { ...erased, held } };
  const done = { ...started, status: "done", erased, completed_at: 2 };
  earlierReplies = [202, 200, 200].map((status) => ({ status, body: running }));
  reply = { status: 200, body: done };
  const args = ["privacy", "erase", "kim_01", "--messages", "erase", "--yes", "--wait", "--json"];
  const { exitCode, stdout, stderr } = await runInMemory(args, { env });
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual(done);
  expect(stderr).toBe(`${kept} are in channels on hold, and will be erased when the holds end.\n`);
  expect(server.requests.map(({ path }) => path)).toEqual([
    "/v1/privacy/erasures",
    ...Array(3).fill("/v1/privacy/erasures/era_1"),
  ]);
});

test("messages send --stream writes standard input as it arrives", async () => {
  const message = {
    message_id: "1700000000000-1",
    channel_id: "room_1",
    type: "text",
    content: "",
    meta: {},
  };
  const sender = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
  const begun = {
    ...message,
    user: sender,
    state: "streaming",
    append_count: 0,
    created_at: 1,
    updated_at: 1,
  };
  earlierReplies = [
    { status: 201, body: begun },
    { status: 200, body: { append_count: 1 } },
  ];
  reply = { status: 200, body: { ...begun, content: "점심? 🍜", state: undefined } };
  const args = ["messages", "send", "room_1", "kim_01", "--stream", "--json"];
  const { exitCode, stdout, stderr } = await runInMemory(args, { env, input: "점심? 🍜" });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(JSON.parse(stdout).content).toBe("점심? 🍜");
  expect(server.requests.map(({ method, path, body }) => [method, path.split("/").at(-1), body])).toEqual([
    ["POST", "messages", { user_id: "kim_01", type: "text", content: "", streaming: true }],
    ["POST", "append", { index: 0, content: "점심? 🍜" }],
    ["PUT", "finish", { state: "done" }],
  ]);
});

test("an id can be given as the application has it, or encoded; a creation takes it as it is", async () => {
  reply = { status: 200, body: { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 } };
  const encoded = ids.encode("kim@example.com");
  for (const id of ["kim@example.com", encoded, "kim_01", "Kim"])
    expect((await runInMemory(["users", "get", id], { env })).exitCode).toBe(0);
  await runInMemory(["members", "join", "Room-1", "kim@example.com"], { env });
  await runInMemory(["users", "create", "kim@example.com", "--name", "Kim"], { env });
  expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/v1/users/${encoded}`, undefined],
    [`/v1/users/${encoded}`, undefined],
    ["/v1/users/kim_01", undefined],
    [`/v1/users/${ids.encode("Kim")}`, undefined],
    [`/v1/group/channels/${ids.encode("Room-1")}/join`, { member: encoded }],
    ["/v1/users", { user_id: "kim@example.com", name: "Kim" }],
  ]);
});

test("madang ids encodes and decodes names", async () => {
  const encoded = await runInMemory(["ids", "encode", "kim@example.com", "kim_01"]);
  expect(encoded).toEqual({ exitCode: 0, stdout: `${ids.encode("kim@example.com")}\nkim_01\n`, stderr: "" });
  const decoded = await runInMemory(["ids", "decode", ...encoded.stdout.trim().split("\n")]);
  expect(decoded).toEqual({ exitCode: 0, stdout: "kim@example.com\nkim_01\n", stderr: "" });
  expect(await runInMemory(["ids", "decode", "b32_1"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('"b32_1": The id is not one of ids.encode.'),
  });
});

test("a group below another is also a command of its own", async () => {
  reply = { status: 200 };
  const { exitCode } = await runInMemory(["members", "join", "room_1", "kim_01"], { env });
  expect(exitCode).toBe(0);
  expect(server.requests).toMatchObject([
    { path: "/v1/group/channels/room_1/join", body: { member: "kim_01" } },
  ]);
});

test("the audit log as CSV has all pages, and no cell that a spreadsheet would run", async () => {
  const entry = { at: 1_700_000_000_000, operation: "users.get", method: "GET", status: 200, kind: "master" };
  reply = {
    status: 200,
    body: {
      entries: [
        {
          ...entry,
          entry_id: "1",
          address: "::1",
          actor: '=HYPERLINK("x")',
          reason: "+1,5",
          user_id: "kim_01",
        },
      ],
    },
  };
  const { exitCode, stdout } = await runInMemory(["audit", "list", "--csv"], { env });
  expect(exitCode).toBe(0);
  expect(stdout).toBe(
    "\ufeffentry_id,at,operation,method,status,code,kind,acting_user_id,key_id,actor,reason,address,user_id,channel_id,message_id,subject\r\n" +
      `1,2023-11-14T22:13:20.000Z,users.get,GET,200,,master,,,"'=HYPERLINK(""x"")","'+1,5",::1,kim_01,,,\r\n`,
  );
});

test.each([
  [["--audit-actor", "민지", "--audit-reason", "ticket 4711"], {}],
  [[], { MADANG_ACTOR: "민지", MADANG_REASON: "ticket 4711" }],
])("the options %j and the variables %j say who uses the command, and why", async (options, variables) => {
  reply = { status: 200, body: { entries: [] } };
  await runInMemory(["audit", "list", ...options], { env: { ...env, ...variables } });
  expect(server.requests[0]?.headers).toMatchObject({
    "x-madang-actor": Buffer.from("민지").toString("latin1"),
    "x-madang-reason": "ticket 4711",
  });
});
