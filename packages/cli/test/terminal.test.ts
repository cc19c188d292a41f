import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { widthOf } from "../src/terminal/output/width";
import { createFolder } from "./support/folder";
import { startRecordingServer } from "./support/recording-server";
import { hasTerminal, startInTerminal } from "./support/terminal";

const key = "mk_only-for-tests-0123456789";
const times = { created_at: 1_700_000_000_000, updated_at: 1_700_000_000_000 };
const users = ["김민준", "Kim", "👩‍👧 가족"].map((name, index) => ({
  user_id: `kim_0${index}`,
  name: name.repeat(12),
  meta: { team: "파랑", site: "Seoul" },
  ...times,
}));
const server = await startRecordingServer((path) => ({
  status: 200,
  ...(path === "/v1/users"
    ? { body: { users } }
    : path.endsWith("/keys/self")
      ? { body: { kind: "master" } }
      : {}),
}));
const folder = createFolder();
const withKey = { HOME: folder, MADANG_URL: server.url, MADANG_API_KEY: key };

beforeEach(() => void server.requests.splice(0));
afterAll(server.close);

// A machine without `script` skips these.
describe.skipIf(!hasTerminal)("at a terminal", () => {
  test("login asks for the address and, hidden, for the key", async () => {
    const terminal = startInTerminal(["login"], { HOME: folder });
    await terminal.waitFor("Address of the server");
    terminal.type(`${server.url}\r`);
    await terminal.waitFor("Key");
    terminal.type(`${key}\r`);
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen()).toContain("Saved the profile default");
    expect(terminal.seen()).not.toContain(key);
    expect(readFileSync(join(folder, ".config/madang/profiles.json"), "utf8")).toContain(key);
  });

  test("a deletion requires confirmation, and No is the default", async () => {
    const terminal = startInTerminal(["users", "delete", "kim_01"], withKey);
    await terminal.waitFor("Delete a user: kim_01?");
    terminal.type("\r");
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen()).toContain("Nothing was deleted.");
    expect(server.requests).toEqual([]);
  });

  test("a confirmed deletion is sent", async () => {
    const terminal = startInTerminal(["users", "delete", "kim_01"], withKey);
    await terminal.waitFor("Delete a user: kim_01?");
    terminal.type("y");
    expect(await terminal.ended).toBe(0);
    expect(server.requests).toMatchObject([{ method: "DELETE", path: "/v1/users/kim_01" }]);
  });

  test("Ctrl-C at a prompt ends with 130 and sends nothing", async () => {
    const terminal = startInTerminal(["users", "delete", "kim_01"], withKey);
    await terminal.waitFor("Delete a user: kim_01?");
    terminal.type("\u0003");
    expect(await terminal.ended).toBe(130);
    expect(server.requests).toEqual([]);
  });

  test("a table fits in 80 columns, and its header is bold", async () => {
    const terminal = startInTerminal(["users", "list"], withKey);
    expect(await terminal.ended).toBe(0);
    const lines = terminal.seen().trim().split("\r\n");
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(80);
    expect(lines[0]?.startsWith("\u001b[1muser_id")).toBe(true);
  });

  test("with NO_COLOR there are no escape sequences", async () => {
    const terminal = startInTerminal(["users", "list"], { ...withKey, NO_COLOR: "1" });
    expect(await terminal.ended).toBe(0);
    expect(terminal.seen()).not.toContain("\u001b");
  });
});
