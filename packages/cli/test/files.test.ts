import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatClient } from "@madang/client";
import { expect, test } from "vitest";
import { createFolder } from "./support/folder";
import { startTestServer } from "./support/server";

const folder = createFolder();
const first = await startTestServer();
const second = await startTestServer();

test("files are uploaded, exported with their messages, verified, and imported into another server", async () => {
  await first.chat.users.create({ user_id: "kim_01", name: "Kim" });
  await first.chat.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  const path = join(folder, "점심.txt");
  writeFileSync(path, "Kimchi stew");
  const put = await first.run(
    "files",
    "put",
    "lunch_01",
    path,
    "--user",
    "kim_01",
    "--type",
    "text/plain",
    "--json",
  );
  expect(put).toMatchObject({ exitCode: 0, stderr: "" });
  const { file_id } = JSON.parse(put.stdout);
  expect(JSON.parse(put.stdout)).toMatchObject({
    name: "점심.txt",
    type: "text/plain",
    size: 11,
    status: "ready",
  });
  expect(await first.run("files", "put", "lunch_01", join(folder, "nothing"))).toMatchObject({ exitCode: 2 });
  await first.chat.messages.send("lunch_01", { user_id: "kim_01", type: "text", attachments: [{ file_id }] });
  const gone = { user_id: "kim_01", type: "text", content: "Today" } as const;
  const files = [{ file: Buffer.from("x".repeat(200_000)), name: "big.bin" }];
  await first.chat.messages.send("lunch_01", gone, { files });

  const dir = join(folder, "export");
  const exported = await first.run("export", "--all", "--files", "--out", dir, "--json");
  expect(exported).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(exported.stdout)).toMatchObject({ messages: 2, files: 2 });
  expect(readFileSync(join(dir, "files", file_id), "utf8")).toBe("Kimchi stew");
  expect(await first.run("verify", dir)).toMatchObject({ exitCode: 0 });

  expect(await second.run("import", dir, "--dry-run")).toMatchObject({ exitCode: 0 });
  const imported = await second.run("import", dir, "--json");
  expect(imported).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(imported.stdout)).toMatchObject({ messages: 2, removed_files: 0 });
  expect(await second.run("verify", dir, "--migrated")).toMatchObject({ exitCode: 0 });
  // Newest first.
  const shown = async (chat: ChatClient) =>
    Promise.all(
      (await chat.messages.list("lunch_01").toArray()).map(async (message) => {
        const attachments = (message.type === "text" && message.attachments) || [];
        const [file] = attachments;
        const text = file && (await (await fetch(file.url)).text());
        return [message.type === "text" && message.content, file?.name, file?.type, text];
      }),
    );
  expect(await shown(second.chat)).toEqual(await shown(first.chat));
  expect((await shown(second.chat))[1]).toEqual(["", "점심.txt", "text/plain", "Kimchi stew"]);

  // What is changed or missing is found, and an import goes on without it.
  writeFileSync(join(dir, "files", file_id), "Kimchi stEw");
  const damaged = await first.run("verify", dir, "--offline");
  expect(damaged.exitCode).toBe(1);
  expect(damaged.stderr).toContain(`files/${file_id}: the content was changed`);
  rmSync(join(dir, "files", file_id));
  expect((await first.run("verify", dir, "--offline")).stderr).toContain(
    `files/${file_id}: the file is missing.`,
  );
  await second.chat.channels.delete("lunch_01");
  const again = await second.run("import", dir, "--json");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(again.stdout)).toMatchObject({ messages: 2, removed_files: 1 });
  expect((await shown(second.chat))[1]).toEqual(["점심.txt", undefined, undefined, undefined]);
  expect(await second.run("verify", dir, "--migrated")).toMatchObject({ exitCode: 0 });
});

test("rows that name files of the channel give them to their messages", async () => {
  const put = await first.run("files", "put", "lunch_01", join(folder, "점심.txt"), "--json");
  const { file_id } = JSON.parse(put.stdout);
  const dir = join(folder, "written");
  mkdirSync(join(dir, "messages"), { recursive: true });
  const row = { external_id: "by-hand", user_id: "kim_01", created_at: 1, attachments: [{ file_id }] };
  writeFileSync(join(dir, "messages/lunch_01.ndjson"), `${JSON.stringify(row)}\n`);
  expect(await first.run("import", dir)).toMatchObject({ exitCode: 0 });
  const found = await first.chat.messages.list("lunch_01", { external_ids: ["by-hand"] }).toArray();
  expect(found).toMatchObject([{ attachments: [{ file_id, name: "점심.txt" }] }]);
  const wrong = { ...row, external_id: "wrong", attachments: [{ file_id: "../../etc" }] };
  writeFileSync(join(dir, "messages/lunch_01.ndjson"), `${JSON.stringify(wrong)}\n`);
  const rejected = await first.run("import", dir);
  expect(rejected).toMatchObject({ exitCode: 1 });
  expect(rejected.stderr).toContain("lunch_01.ndjson:1 (channel lunch_01): attachments.0.file_id");
});

test("an export without the files can be imported, and addresses that have changed are no difference", async () => {
  const dir = join(folder, "rows");
  expect(await first.run("export", "--all", "--out", dir)).toMatchObject({ exitCode: 0 });
  const path = join(dir, "messages/lunch_01.ndjson");
  const rows = readFileSync(path, "utf8");
  expect(rows).toContain('"url":"http');
  expect(await first.run("verify", dir)).toMatchObject({ exitCode: 0 });
});
