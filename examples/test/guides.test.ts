import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "./run";

// Every sample runs twice, because readers may run it again.
async function runTwice(path: string): Promise<[first: string, second: string]> {
  return [(await run(path)).stdout, (await run(path)).stdout];
}

test("getting started: the first user with curl, then a channel and a message", async () => {
  const [created, replayed] = await runTwice("guides/getting-started.sh");
  expect(created).toContain('"user_id":"start_kim"');
  expect(replayed).toBe(created);
  const sent = "Park 점심 먹을까요?\n";
  expect(await runTwice("guides/getting-started.ts")).toEqual([sent, sent + sent]);
});

test("lists: items, one page, from a cursor, all in one array, and over HTTP", async () => {
  for (const output of await runTwice("guides/lists.ts")) {
    const lines = output.trim().split("\n");
    expect(lines.slice(0, 12)).toEqual(Array.from({ length: 12 }, (_, index) => `list_${11 - index}`));
    expect(lines.slice(12)).toEqual(["5 users, more: true", "a page of 5", "a page of 2", "12 in total"]);
  }
  for (const output of await runTwice("guides/lists.sh")) expect(output).toContain('"users":');
});

test("audit log: the entries of a user name the actor and the reason", async () => {
  for (const output of await runTwice("guides/audit-log.ts"))
    expect(output).toMatch(/ users\.update jane@example\.com ticket 4711\n/);
});

test("bulk operations: additions, an announcement, and lists by ids, names and unread messages", async () => {
  for (const output of await runTwice("guides/bulk-operations.ts"))
    expect(output).toBe(
      [
        "many_team_a has 3 participants",
        "many_team_b has 3 participants",
        "many_team_a: sent",
        "many_team_b: sent",
        "many_closed: channel_not_found",
        "many_02 many_01",
        "found by name",
        "unread in many_team_b",
        "unread in many_team_a",
        "something is unread",
        "",
      ].join("\n"),
    );
});

test("sync users: the first night creates users, and the second one changes nothing", async () => {
  expect(await runTwice("guides/sync-users.ts")).toEqual([
    "{ created: 2, updated: 0, unchanged: 0, rejected: 0 }\nsuspended: step_03\n",
    "{ created: 0, updated: 0, unchanged: 2, rejected: 0 }\n",
  ]);
});

test("push notifications: the device of a user is registered, tried and removed", async () => {
  for (const output of await runTwice("guides/push.ts"))
    expect(output).toBe("webpush 87\nlaptop last: undefined now: 201\n");
});

test("searching: in a channel, and in the channels of a user", async () => {
  for (const output of await runTwice("guides/searching.ts"))
    expect(output).toMatch(/^in the channel: \d+\nin search_room\n$/);
});

test("retention: a period for one channel, a hold, and the setting of the server again", async () => {
  for (const output of await runTwice("guides/retention.ts")) expect(output).toBe("as the server is set\n");
});

test("an export of a year writes its messages, reports progress, and removes its cursor file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "madang-export-"));
  const channel = /the channel (\w+)/.exec((await run("src/quickstart.ts")).stdout)?.[1] ?? "";
  const year = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul" }).format().slice(0, 4);
  const { stdout } = await run("guides/export-year.ts", channel, year, join(folder, "year.ndjson"));
  expect(stdout).toMatch(/^reached \d{4}-.*\ndone\n$/);
  const written = readFileSync(join(folder, "year.ndjson"), "utf8").trim().split("\n");
  expect(written.map((line) => JSON.parse(line).content)).toEqual([
    "좋아요, 12시에 만나요.",
    "점심 먹을까요?",
  ]);
  expect(readdirSync(folder)).toEqual(["year.ndjson"]);
  rmSync(folder, { recursive: true });
});

test("a chat screen opens, scrolls, catches up, jumps, marks as read and draws the inbox", async () => {
  for (const output of await runTwice("guides/chat-screen.ts"))
    expect(output.trim().split("\n")).toEqual([
      ...["opened: 20 messages", " Park: message 50", " Park: message 31"],
      ...["scrolled up: 40 messages", " Park: message 50", " Park: message 11"],
      ...["caught up: 65 messages", " Park: message 75", " Park: message 11"],
      ...["jumped: 21 messages", " Park: message 35", " Park: message 15"],
      "unread after reading: 40",
      "Park: message 74, Park: message 75",
      "changed meanwhile Park: see you at one",
      "Lunch (39) Park: see you at one",
      "Lunch (39)",
      "39 unread messages in 1 channels",
    ]);
});

test("assistants: an answer grows while it is shown, and one is stopped", async () => {
  for (const output of await runTwice("guides/assistants.ts"))
    expect(output.trim().split("\n")).toEqual([
      "whole: There is bibimbap.",
      "stopped: cancelled",
      // The example leaves without waiting for the events of the second message.
      expect.stringMatching(/^shown: There is bibimbap\./),
    ]);
});

test("listening: events arrive in order, and later ones continue after the cursor", async () => {
  const [first, second] = await runTwice("guides/listening.ts");
  expect(first).toBe("kim: Noon?\nlee: Gladly.\nlisten_kim has read listen_room\nlisten_kim is typing\n");
  expect(second).toBe(first);
});

test("one to one: the same two users get the same channel, and the inbox names the other one", async () => {
  expect(await runTwice("guides/one-to-one.ts")).toEqual([
    "created\nreused\ntrue\nPark\n",
    "reused\nreused\ntrue\nPark\n",
  ]);
});

test("moderation: what a user may not do, and reports", async () => {
  const expected = "member_muted\nmod_park Advertising\n";
  expect(await runTwice("guides/moderate.ts")).toEqual([expected, expected]);
});

test("filters and hooks: a trial, a rejection, a mask, slow mode, and a hook", async () => {
  const expected = "*******! ********\nrejected\nCall ********\n30\nPlease stay friendly.\nsent\n";
  expect(await runTwice("guides/filters-and-hooks.ts")).toEqual([expected, expected]);
});

test("erasing a person: what is stored, and what was erased", async () => {
  const expected = "Kim 1 1 0\n{ messages: 1, memberships: 1, channels: 1 }\n";
  expect(await runTwice("guides/erase-a-person.ts")).toEqual([expected, expected]);
});

test("replies: a thread, a quote, mentions, a system message, an edit, and what a deletion leaves", async () => {
  const expected = [
    "1 reply",
    "reply_park: One is better, @reply_kim.",
    "quotes reply_kim: Noon?",
    "1 unread, 1 for you",
    "Park has booked a table.",
    "reply_park: One is better. (edited)",
    "kept: true",
    "",
  ].join("\n");
  expect(await runTwice("guides/replies.ts")).toEqual([expected, expected]);
});

test("attachments: a file that is sent and read, and one that is uploaded first", async () => {
  const expected = "menu.txt 11 Kimchi stew\nsent 7\n";
  expect(await runTwice("guides/attachments.ts")).toEqual([expected, expected]);
});

test("reactions and pins: counts, who reacted, events, and what is pinned", async () => {
  const events = "reaction.added 1\nreaction.added 1\nreaction.removed 1\n";
  const expected = `👍 2\nlisted: 2 true\nby react_park, react_kim\n${events}pinned: 1\n`;
  expect(await runTwice("guides/reactions.ts")).toEqual([expected, expected]);
});

test("receipts: who has read a message", async () => {
  const expected = "read by 1 of 2: read_park\n";
  expect(await runTwice("guides/receipts.ts")).toEqual([expected, expected]);
});

test("errors are distinguished by class and by code", async () => {
  const rest = [expect.stringContaining("no_such_channel"), "true 404 1 true"];
  const [first, second] = await runTwice("guides/errors.ts");
  expect(first.trim().split("\n")).toEqual(["exists already: user_exists", ...rest]);
  expect(second.trim().split("\n").slice(2)).toEqual(rest);
});

test("a job that runs again sends one message", async () => {
  expect(await runTwice("guides/repeat-safely.ts")).toEqual(["true\n", "true\n"]);
});

test("webhooks: a receiver gets a ping and an event, both verified", async () => {
  const lines = ["webhook.ping", "the receiver responds with 204", "message.created", "1 204", "1 204", ""];
  for (const output of await runTwice("guides/webhooks.ts")) expect(output.split("\n")).toEqual(lines);
});

test("an application tests against the real service, and resets it", async () => {
  for (const output of await runTwice("guides/real-server.ts"))
    expect(output).toBe("{ unread_count: 0, channel_count: 0, quiet_unread_count: 0 } 1\n0\n");
});

test("around a chat: filters of your own, and pages that cannot send", async () => {
  for (const output of await runTwice("guides/around-a-chat.ts"))
    expect(output.trim().split("\n")).toEqual(["This text is not allowed.", "true", "scope_missing"]);
});

test("browsers and phones: as a user with a token, and a bot with a key of its user", async () => {
  for (const output of await runTwice("guides/browsers.ts"))
    expect(output).toBe("web_kim\nnot_permitted\nWeb 0\nuser_id name meta created_at joined_at\nweb_park\n");
});

test("presence: a page that is open makes its user online, which another page gets", async () => {
  for (const output of await runTwice("guides/presence.ts"))
    expect(output).toMatch(/^here_kim online\nhere_lee (online|offline)\n$/);
});
