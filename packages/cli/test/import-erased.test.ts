import { join } from "node:path";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const folder = createFolder();
const first = await startTestServer();
const second = await startTestServer();

test("kept messages of an erased user are exported, imported and exported again, and belong to nobody", async () => {
  for (const user_id of ["gone", "deleted"])
    await first.chat.users.create({ user_id, name: `Name of ${user_id}` });
  await first.chat.channels.create({ channel_id: "room_1", name: "Room", members: ["gone", "deleted"] });
  for (const user_id of ["gone", "deleted"])
    await first.chat.messages.send("room_1", { user_id, type: "text", content: `Of ${user_id}` });
  const { erasure_id } = await first.chat.privacy.erase({ user_id: "gone", messages: "keep" });
  await expect
    .poll(async () => (await first.chat.privacy.get(erasure_id)).status, { timeout: 60_000 })
    .toBe("done");

  const [from, again] = ["from", "again"].map((name) => join(folder, name)) as [string, string];
  expect(await first.run("export", "--all", "--out", from)).toMatchObject({ exitCode: 0 });
  expect(await second.run("import", from)).toMatchObject({ exitCode: 0 });
  expect(await second.run("export", "--all", "--out", again)).toMatchObject({ exitCode: 0 });
  expect(await second.run("import", again)).toMatchObject({ exitCode: 0 });

  const [shown, imported] = await Promise.all(
    [first, second].map(async ({ chat }) => {
      const { items } = await chat.messages.list("room_1").firstPage();
      return items.map((message) => [
        "content" in message && message.content,
        "user" in message && [message.user?.user_id, message.user?.name],
      ]);
    }),
  );
  expect(imported).toEqual(shown);
  expect(shown?.at(-1)).toEqual(["Of gone", ["~deleted", "Deleted user"]]);
  const users = await second.chat.users.list().firstPage();
  expect(users.items.map(({ user_id }) => user_id)).toEqual(["deleted"]);
});
