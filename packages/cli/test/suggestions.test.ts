import { afterAll, beforeEach, expect, test } from "vitest";
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

const kim = { user_id: "kim_01", name: "Kim", meta: {}, created_at: 1, updated_at: 1 };
const problem = (status: number, code: string): Reply => ({
  status,
  body: { status, code, detail: "It is so." },
});

test("a list that fails prints what it had and says how to continue", async () => {
  replies = [{ status: 200, body: { users: [kim], next: "two" } }, problem(404, "user_not_found")];
  const { exitCode, stdout, stderr } = await runInMemory(["users", "list", "--json"], { env });
  expect(exitCode).toBe(4);
  expect(JSON.parse(stdout)).toEqual(kim);
  expect(stderr).toContain("add --cursor two\n");
  await runInMemory(["users", "list", "--json", "--cursor", "two"], { env });
  expect(server.requests.at(-1)?.query).toEqual({ next: "two" });
});

test("a cursor that a shell would read as several arguments is quoted", async () => {
  replies = [{ status: 200, body: { users: [kim], next: "two; rm -rf ~" } }, problem(404, "user_not_found")];
  const { stderr } = await runInMemory(["users", "list"], { env });
  expect(stderr).toContain("add --cursor 'two; rm -rf ~'\n");
});

test.each([
  [["users", "list", "--cursor", "bogus"], 400, "invalid_cursor", 2],
  [["tail", "--after", "old"], 410, "events_expired", 1],
])("%j does not suggest the cursor that was rejected", async (args, status, code, exitCode) => {
  replies = [problem(status, code)];
  expect(await runInMemory(args, { env })).toEqual({
    exitCode,
    stdout: "",
    stderr: `error: It is so. (${code})\n`,
  });
});

test.each([[["tail"]], [["tail", "--after", "latest"]]])("%j begins with the cursor of now", async (args) => {
  replies = [{ status: 200, body: { events: [], next: "now" } }, problem(403, "forbidden")];
  const { stderr } = await runInMemory(args, { env });
  expect(stderr).toBe("To continue: madang tail --after now\nerror: It is so. (forbidden)\n");
});
