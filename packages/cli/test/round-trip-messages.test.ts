import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";

let folder: string;
const servers: Awaited<ReturnType<typeof startServer>>[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "madang-messages-"));
  for (let count = 0; count < 2; count++) servers.push(await startServer());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
});

test("own ids, parts, texts of 65,536 characters and streamed messages are exported, verified and imported", async () => {
  const [first, second] = servers.map(
    ({ url, masterKey }) => new ChatClient({ baseUrl: url, apiKey: masterKey }),
  ) as [ChatClient, ChatClient];
  await first.users.create({ user_id: "bot_01", name: "Bot" });
  await first.channels.create({ channel_id: "room_1", name: "Room", members: ["bot_01"] });
  const text = { user_id: "bot_01", type: "text" } as const;
  const parts = [{ type: "tool", name: "menu", output: { dishes: ["비빔밥"], price: 9.5 } }];
  await first.messages.send("room_1", { ...text, content: "Own id", external_id: "own 1" });
  await first.messages.send("room_1", { ...text, content: "", parts });
  await first.messages.send("room_1", { ...text, content: "김".repeat(65_536) });
  const writer = await first.messages.stream("room_1", text);
  writer.append("There is ");
  writer.append("bibimbap.");
  await writer.finish({ parts });

  const run = (server: number, ...args: string[]) => {
    const { url, masterKey } = servers[server] as (typeof servers)[number];
    return runInMemory(args, { env: { MADANG_URL: url, MADANG_API_KEY: masterKey } });
  };
  expect(await run(0, "export", "--all", "--out", folder)).toMatchObject({ exitCode: 0 });
  expect(await run(0, "verify", folder)).toMatchObject({ exitCode: 0 });
  expect(await run(1, "import", folder)).toMatchObject({ exitCode: 0, stderr: "" });
  const read = async (chat: ChatClient) =>
    (await chat.messages.list("room_1").toArray({ max: 10 })).map((message) => [
      message.type !== "file" && message.content,
      message.type !== "file" && message.parts,
      message.created_at,
    ]);
  expect(await read(second)).toEqual(await read(first));
  expect(await read(second)).toHaveLength(4);
  const named = await second.messages.list("room_1", { external_ids: ["own 1"] }).toArray({ max: 10 });
  expect(named).toMatchObject([{ content: "Own id", external_id: "own 1" }]);
});
