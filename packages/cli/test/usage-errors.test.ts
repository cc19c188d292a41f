import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";
import { startRecordingServer } from "./support/recording-server";

const server = await startRecordingServer(() => ({ status: 200 }));
const env = { MADANG_URL: server.url, MADANG_API_KEY: "mk_only-for-tests-0123456789" };
afterAll(() => server.close());

/** A folder that is not created. */
const never = join(tmpdir(), `madang-never-${process.pid}`);

test.each([
  [["no-such-command"], "unknown command"],
  [["users", "get"], "missing required argument 'user_id'"],
  [["users", "get", "kim_01", "park_03"], "too many arguments"],
  [["messages", "get", "room_1", "../x"], "message_id: Must be the id of a message"],
  [["users", "create", "kim_01"], "--name is required."],
  [["users", "create", "kim_01", "--name", "Kim", "--meta", "blue"], "It must be key=value."],
  [["users", "list", "--limit", "0"], "It must be a whole number from 1."],
  [["users", "delete", "kim_01"], "confirm it with --yes"],
  [
    ["privacy", "erase", "kim_01", "--messages", "erase"],
    "Erase a user: kim_01? Without a terminal, confirm",
  ],
  [["keys", "create", "--expires-at", "31 December"], "a date such as 2026-12-31T00:00:00Z."],
  [["members", "mute", "room_1", "kim_01", "--until", "tomorrow"], "It must be milliseconds or a date"],
  [["keys", "create", "--expires-at", "2026-12-31T18:00"], "a date such as 2026-12-31"],
  [["keys", "create", "--expires-at", "2026-02-29T18:00Z"], "a date such as 2026-12-31"],
  [["messages", "send", "room_1", "kim_01", "--type", "image"], "Allowed choices are text, file, system."],
  [["channels", "create", "room_1", "--name", "Lunch", "--input", "-"], "Standard input is not an object"],
  [["users", "create", "kim_01", "--input", "no-such-file"], "--input cannot be read: ENOENT"],
  [["export", "--out", never], "Name the channels to export, or add --all."],
  [["export", "--all", "--out", never, "--bom"], "--bom needs --format csv."],
  [["export", "--all", "--out", never, "--format", "parquet", "--bom"], "--bom needs --format csv."],
  [["export", "--all", "--out", never, "--from", "2024-02-30"], "It must be a day such as 2024-01-31."],
  [["export", "--all", "--out", never, "--timezone", "KST"], "It must be UTC or a time zone such as"],
  // Node knows this spelling, and the service does not.
  [["export", "--all", "--out", never, "--timezone", "Asia/seoul"], "It must be UTC or a time zone such as"],
  [["export", "--all", "--out", never, "--timezone", "Asia/Pusan"], "It must be UTC or a time zone such as"],
  [
    ["export", "--all", "--out", never, "--from", "2024-02-02", "--to", "2024-02-01"],
    "--from must not be after --to.",
  ],
])("%j is a usage error, and nothing is sent", async (args, message) => {
  const { exitCode, stdout, stderr } = await runInMemory(args, { env, input: "[]" });
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(server.requests).toEqual([]);
});
