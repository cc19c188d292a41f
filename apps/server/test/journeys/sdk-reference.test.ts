import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChatClient, ids, isChatError } from "@madang/client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../src/testing";
import { createPostgresFolder, type PostgresFolder } from "../support/postgres-folder";
import { createPushSettings } from "../support/push-settings";

const url = new URL("../../../../packages/client/docs/reference.md", import.meta.url);
const page = readFileSync(url, "utf8");
const samples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => (code ?? "").trim());

let ground: PostgresFolder;
let server: TestServer;
let picture: string;
let chat: ChatClient;
beforeAll(async () => {
  ground = await createPostgresFolder();
  picture = join(ground.path, "menu.png");
  server = await startTestServer({ folder: ground.path, settings: await createPushSettings() });
  writeFileSync(picture, "png");
  chat = new ChatClient({ baseUrl: server.url, apiKey: server.masterKey });
});
afterAll(async () => {
  await server.close();
  await ground.remove();
});

test("there is an example of every method", () => {
  expect(samples.length).toBeGreaterThan(40);
});

/** Only the service can assign these ids, which the examples name. */
const unknownIds = ["device", "erasure", "file", "filter", "hook", "message", "report", "webhook"].map(
  (name) => `${name}_not_found`,
);
const endOfExample = new Error("The feed has no end.");

test.each(samples)("the sample runs: %s", async (sample) => {
  await server.reset();
  await prepare(sample);
  const log = () => {
    if (sample.includes("events.listen(")) throw endOfExample;
  };
  const given = { chat, ids, console: { log } };
  const make = Object.getPrototypeOf(async () => {}).constructor;
  // A stream of events from now on has something to show.
  const signals = setInterval(
    () => void chat.signals.send("room_1", { type: "typing" }).catch(() => undefined),
    200,
  );
  // The path of a file.
  const source = sample.replace('upload("room_1", "menu.png"', `upload("room_1", ${JSON.stringify(picture)}`);
  const run: Promise<void> = make(...Object.keys(given), source)(...Object.values(given));
  await run
    .catch((error: unknown) => {
      if (error !== endOfExample && !(isChatError(error) && unknownIds.includes(error.code ?? "")))
        throw error;
    })
    .finally(() => clearInterval(signals));
});

/** Creates what an example needs and does not create itself. */
async function prepare(sample: string): Promise<void> {
  for (const user_id of ["kim_01", "park_03"])
    if (!sample.includes("users.create(") || user_id !== "kim_01")
      await chat.users.create({ user_id, name: "Kim", meta: { team: "blue" } });
  if (sample.includes("channels.create(") || sample.includes("users.create(")) return;
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01", "park_03"] });
  await chat.channels.managers.add("room_1", "kim_01");
  await chat.messages.send("room_1", { user_id: "kim_01", type: "text", content: "Hello" });
}
