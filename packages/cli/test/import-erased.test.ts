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
  folder = mkdtempSync(join(tmpdir(), "madang-erased-"));
  for (let count = 0; count < 2; count++) servers.push(await startServer());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
});

test("kept messages of an erased user are exported, imported and exported again, and belong to nobody", async () => {
  const chats = servers.map(({ url, masterKey }) => new ChatClient({ baseUrl: url, apiKey: masterKey }));
  const [first, second] = chats as [ChatClient, ChatClient];
  for (const user_id of ["gone", "deleted"])
    await first.users.create({ user_id, name: `Name of ${user_id}` });
  await first.channels.create({ channel_id: "room_1", name: "Room", members: ["gone", "deleted"] });
  for (const user_id of ["gone", "deleted"])
    await first.messages.send("room_1", { user_id, type: "text", content: `Of ${user_id}` });
  const { erasure_id } = await first.privacy.erase({ user_id: "gone", messages: "keep" });
  await expect
    .poll(async () => (await first.privacy.get(erasure_id)).status, { timeout: 60_000 })
    .toBe("done");

  const run = (server: number, ...args: string[]) => {
    const { url, masterKey } = servers[server] as (typeof servers)[number];
    return runInMemory(args, { env: { MADANG_URL: url, MADANG_API_KEY: masterKey } });
  };
  const [from, again] = ["from", "again"].map((name) => join(folder, name)) as [string, string];
  expect(await run(0, "export", "--all", "--out", from)).toMatchObject({ exitCode: 0 });
  expect(await run(1, "import", from)).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await run(1, "export", "--all", "--out", again)).toMatchObject({ exitCode: 0 });
  expect(await run(1, "import", again)).toMatchObject({ exitCode: 0, stderr: "" });

  const [shown, imported] = await Promise.all(
    chats.map(async (chat) => {
      const { items } = await chat.messages.list("room_1").firstPage();
      return items.map((message) => [
        "content" in message && message.content,
        "user" in message && [message.user?.user_id, message.user?.name],
      ]);
    }),
  );
  expect(imported).toEqual(shown);
  expect(shown?.at(-1)).toEqual(["Of gone", ["~deleted", "Deleted user"]]);
  const users = await second.users.list().firstPage();
  expect(users.items.map(({ user_id }) => user_id)).toEqual(["deleted"]);
});
