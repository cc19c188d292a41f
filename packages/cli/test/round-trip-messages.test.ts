import type { ChatClient } from "@madang/client";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const folder = createFolder();
const first = await startTestServer();
const second = await startTestServer();

test("own ids, parts, texts of 65,536 characters and streamed messages are exported, verified and imported", async () => {
  await first.chat.users.create({ user_id: "bot_01", name: "Bot" });
  await first.chat.channels.create({ channel_id: "room_1", name: "Room", members: ["bot_01"] });
  const text = { user_id: "bot_01", type: "text" } as const;
  const parts = [{ type: "tool", name: "menu", output: { dishes: ["비빔밥"], price: 9.5 } }];
  await first.chat.messages.send("room_1", { ...text, content: "Own id", external_id: "own 1" });
  await first.chat.messages.send("room_1", { ...text, content: "", parts });
  await first.chat.messages.send("room_1", { ...text, content: "김".repeat(65_536) });
  const writer = await first.chat.messages.stream("room_1", text);
  writer.append("There is ");
  writer.append("bibimbap.");
  await writer.finish({ parts });

  expect(await first.run("export", "--all", "--out", folder)).toMatchObject({ exitCode: 0 });
  expect(await first.run("verify", folder)).toMatchObject({ exitCode: 0 });
  expect(await second.run("import", folder)).toMatchObject({ exitCode: 0, stderr: "" });
  const read = async (chat: ChatClient) =>
    (await chat.messages.list("room_1").toArray({ max: 10 })).map((message) => [
      message.type !== "file" && message.content,
      message.type !== "file" && message.parts,
      message.created_at,
    ]);
  expect(await read(second.chat)).toEqual(await read(first.chat));
  expect(await read(second.chat)).toHaveLength(4);
  const named = await second.chat.messages.list("room_1", { external_ids: ["own 1"] }).toArray({ max: 10 });
  expect(named).toMatchObject([{ content: "Own id", external_id: "own 1" }]);
});
