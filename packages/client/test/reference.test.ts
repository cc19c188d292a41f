import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ChatClient, ids, isChatError } from "../src/index";
import { FakeService } from "../src/testing/index";
import { runTool } from "./support/packed";

const page = readFileSync(join(import.meta.dirname, "../docs/reference.md"), "utf8");
const samples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => (code ?? "").trim());

test("docs/reference.md is up to date with the doc comments of the built types", () => {
  const script =
    'import { createReference } from "./scripts/reference.mjs"; process.stdout.write(createReference());';
  expect(page).toBe(runTool("node", ["--input-type=module", "--eval", script]));
});

test.each(samples)("%s", async (sample) => {
  const service = new FakeService();
  const chat = new ChatClient({ baseUrl: "http://fake.test", apiKey: service.apiKey, fetch: service.fetch });
  for (const user_id of ["kim_01", "park_03"])
    if (!sample.includes("users.create(") || user_id !== "kim_01")
      await chat.users.create({ user_id, name: "Kim", meta: { team: "blue" } });
  if (sample.includes("channels.create(")) await chat.users.create({ user_id: "lee_02", name: "Lee" });
  else if (!sample.includes("users.create(")) {
    await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_03"] });
    await chat.channels.managers.add("room_1", "kim_01");
    await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
  }
  const seen: unknown[] = [];
  const note = (value: unknown) => void seen.push(value);
  const given = { chat, ids, console: { log: note } };
  const make = Object.getPrototypeOf(async () => {}).constructor;
  const run: Promise<void> = make(...Object.keys(given), sample)(...Object.values(given));
  // An operation that the fake does not imitate was called anyway.
  await run.catch((error: unknown) => {
    if (!isChatError(error) || error.code !== "not_imitated") throw error;
  });
});
