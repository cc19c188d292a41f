import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";
import { type Reply, startRecordingServer } from "./support/recording-server";

let replies: Reply[] = [];
const server = await startRecordingServer(() => replies.shift() ?? { status: 200, body: { users: [] } });
const env = { MADANG_URL: server.url, MADANG_API_KEY: "mk_only-for-tests-0123456789" };
afterAll(() => server.close());
beforeEach(() => {
  replies = [];
  server.requests.splice(0);
});

const problem = (status: number): Reply => ({
  status,
  body: { status, code: "some_code", detail: "It is so." },
});
const user = (index: number) => ({
  user_id: `kim_0${index}`,
  name: "Kim",
  meta: {},
  created_at: 1,
  updated_at: 1,
});

describe("the exit code", () => {
  test.each([
    [400, 2],
    [401, 3],
    [403, 3],
    [404, 4],
    [409, 1],
    [410, 1],
  ])("of a response with %i is %i, and the error says what the service says", async (status, exitCode) => {
    replies = [problem(status)];
    const outcome = await runInMemory(["users", "get", "kim_01"], { env });
    expect(outcome).toEqual({ exitCode, stdout: "", stderr: "error: It is so. (some_code)\n" });
  });

  test("of several broken rules is 2, and each rule is printed once", async () => {
    const errors = [
      { in: "body", path: "name", message: "Must be a text." },
      { in: "body", path: "meta", message: "Must be an object." },
    ];
    const detail = "The request is invalid. In the body, name: Must be a text.";
    replies = [{ status: 400, body: { status: 400, code: "invalid_request", detail, errors } }];
    const outcome = await runInMemory(["users", "update", "kim_01", "--name", "Kim"], { env });
    const stderr = `error: ${detail} (invalid_request)\n  meta: Must be an object.\n`;
    expect(outcome).toEqual({ exitCode: 2, stdout: "", stderr });
  });

  test("of an export of an unknown channel is 4, and the error says how to find the ids", async () => {
    const detail = "There is no channel room_9.";
    replies = [{ status: 404, body: { status: 404, code: "channel_not_found", detail } }];
    const out = join(tmpdir(), `madang-unknown-${process.pid}`);
    const outcome = await runInMemory(["export", "room_9", "--out", out], { env });
    await rm(out, { recursive: true });
    const stderr = `error: ${detail.replace(".", "")}, and nothing was exported. madang channels list shows all ids.\n`;
    expect(outcome).toEqual({ exitCode: 4, stdout: "", stderr });
  });

  test("of an export to a file is 2", async () => {
    const out = import.meta.filename;
    const outcome = await runInMemory(["export", "--all", "--out", out], { env });
    expect(outcome).toEqual({ exitCode: 2, stdout: "", stderr: `error: ${out} is not a folder.\n` });
  });

  test("of an address that is not valid is 2, and the error does not repeat it", async () => {
    const given = { env: { ...env, MADANG_URL: "ftp://kim:secret@example.com" } };
    const { exitCode, stderr } = await runInMemory(["users", "get", "kim_01"], given);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /^error: The address of the server is not valid\. Must be an http or https address/,
    );
    expect(stderr).not.toContain("secret");
  });

  test("of a server that cannot be reached is 1", async () => {
    const given = { env: { ...env, MADANG_URL: "http://127.0.0.1:1" } };
    const { exitCode, stderr } = await runInMemory(["users", "get", "kim_01"], given);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^error: .+\n$/);
  });

  test("of an interrupted command is 130", async () => {
    const outcome = await runInMemory(["users", "list"], { env, signal: AbortSignal.abort() });
    expect(outcome).toEqual({ exitCode: 130, stdout: "", stderr: "" });
  });

  test.each([["--help"], ["--version"], ["users", "--help"]])("of %s is 0", async (...args) => {
    expect(await runInMemory(args)).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

test("a list has all pages, of the size that the limit needs", async () => {
  replies = [
    { status: 200, body: { users: [user(1), user(2)], next: "two" } },
    { status: 200, body: { users: [user(3)] } },
  ];
  const { stdout } = await runInMemory(["users", "list", "--json", "--limit", "7"], { env });
  expect(stdout.split("\n").filter(Boolean)).toHaveLength(3);
  expect(server.requests.map(({ query }) => query)).toEqual([{ limit: "7" }, { next: "two" }]);
});

test("a page of events is a table for people, and the whole response with --json", async () => {
  const event = {
    event_id: "evt_1",
    type: "user.deleted",
    created_at: 1,
    user_id: "kim_01",
    data: { user_id: "kim_01" },
  };
  const reply = { status: 200, body: { events: [event], next: "two" } };
  replies = [reply, reply];
  const { stdout, stderr } = await runInMemory(["events", "list"], { env });
  expect(stdout).toMatch(/^event_id +type.*\nevt_1 +user\.deleted/);
  expect(stderr).toBe("next: two\n");
  expect(JSON.parse((await runInMemory(["events", "list", "--json"], { env })).stdout)).toEqual(reply.body);
});

test("an idempotency key is sent, so that a repeated command takes effect once", async () => {
  replies = [{ status: 201, body: user(1) }];
  await runInMemory(["users", "create", "kim_01", "--name", "Kim", "--idempotency-key", "mine"], { env });
  expect(server.requests[0]?.headers["idempotency-key"]).toBe("mine");
});

test.each([
  ["1798675200000", 1_798_675_200_000],
  ["2026-12-31", Date.UTC(2026, 11, 31)],
  ["2026-12-31T18:00+09:00", Date.UTC(2026, 11, 31, 9)],
])("the time %s is sent in milliseconds", async (text, ms) => {
  replies = [{ status: 201, body: { key: "sk_1", key_id: "key_1", created_at: 1 } }];
  await runInMemory(["keys", "create", "--expires-at", text], { env });
  expect(server.requests[0]?.body).toEqual({ expires_at: ms });
});

test("every time can be given as a date: when a restriction ends, and a range of time", async () => {
  const [date, ms] = ["2099-12-31T00:00:00Z", Date.UTC(2099, 11, 31)];
  replies = [
    { status: 200 },
    { status: 200, body: { messages: [] } },
    { status: 200, body: { entries: [] } },
  ];
  await runInMemory(["members", "mute", "room_1", "kim_01", "--until", date], { env });
  await runInMemory(["users", "messages", "kim_01", "--since", date, "--until", date], { env });
  await runInMemory(["audit", "list", "--from", date, "--to", date], { env });
  expect(server.requests).toMatchObject([
    { body: { until: ms } },
    { query: { since: `${ms}`, until: `${ms}` } },
    { query: { from: `${ms}`, to: `${ms}` } },
  ]);
});

test("every time is printed as a date, and 0 as the end of a restriction is none", async () => {
  const suspended = (until: number) => ({ ...user(1), created_at: 0, suspended_until: until });
  const ban = { user: user(1), until: Date.UTC(2099, 11, 31), created_at: 1 };
  const pages = [{ users: [suspended(0), suspended(1)] }, { bans: [ban] }];
  replies = [...[suspended(0), ...pages].map((body) => ({ status: 200, body }))];
  const print = async (...args: string[]) => (await runInMemory(args, { env })).stdout;
  expect(await print("users", "get", "kim_01")).toMatch(
    /^created_at +1970-01-01 00:00:00 UTC$.*^suspended_until +without end$/ms,
  );
  expect(await print("users", "list")).toMatch(
    /suspended_until \(UTC\).* without end .* 1970-01-01 00:00:00 /s,
  );
  expect(await print("bans", "list", "room_1")).toMatch(/until \(UTC\).* 2099-12-31 00:00:00 /s);
});

test("the body of --input is sent, without the byte order mark of Windows, and options add to it", async () => {
  replies = [{ status: 201, body: user(1) }];
  const input = `\ufeff${JSON.stringify({ name: "Kim", meta: { team: "blue" } })}`;
  await runInMemory(["users", "create", "kim_01", "--input", "-", "--name", "Lee"], { env, input });
  expect(server.requests[0]?.body).toEqual({ user_id: "kim_01", name: "Lee", meta: { team: "blue" } });
});
