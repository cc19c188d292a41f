import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatClient } from "@madang/client";
import { startServer } from "@madang/examples/start-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runInMemory } from "./support/memory-io";

let folder: string;
const servers: Awaited<ReturnType<typeof startServer>>[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "madang-files-"));
  for (let count = 0; count < 2; count++) servers.push(await startServer());
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(folder, { recursive: true });
});

const run = (server: number, ...args: string[]) => {
  const { url, masterKey } = servers[server] as (typeof servers)[number];
  return runInMemory(args, { env: { MADANG_URL: url, MADANG_API_KEY: masterKey } });
};

test("files are uploaded, exported with their messages, verified, and imported into another server", async () => {
  const [first, second] = servers.map(
    ({ url, masterKey }) => new ChatClient({ baseUrl: url, apiKey: masterKey }),
  ) as [ChatClient, ChatClient];
  await first.users.create({ user_id: "kim_01", name: "Kim" });
  await first.channels.create({ channel_id: "lunch_01", name: "Lunch", members: ["kim_01"] });
  const path = join(folder, "점심.txt");
  writeFileSync(path, "Kimchi stew");
  const put = await run(
    0,
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
  expect(await run(0, "files", "put", "lunch_01", join(folder, "nothing"))).toMatchObject({ exitCode: 2 });
  await first.messages.send("lunch_01", { user_id: "kim_01", type: "text", attachments: [{ file_id }] });
  const gone = { user_id: "kim_01", type: "text", content: "Today" } as const;
  const files = [{ file: Buffer.from("x".repeat(200_000)), name: "big.bin" }];
  await first.messages.send("lunch_01", gone, { files });

  const dir = join(folder, "export");
  const exported = await run(0, "export", "--all", "--files", "--out", dir, "--json");
  expect(exported).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(exported.stdout)).toMatchObject({ messages: 2, files: 2 });
  expect(readFileSync(join(dir, "files", file_id), "utf8")).toBe("Kimchi stew");
  expect(await run(0, "verify", dir)).toMatchObject({ exitCode: 0 });

  expect(await run(1, "import", dir, "--dry-run")).toMatchObject({ exitCode: 0 });
  const imported = await run(1, "import", dir, "--json");
  expect(imported).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(imported.stdout)).toMatchObject({ messages: 2, removed_files: 0 });
  expect(await run(1, "verify", dir, "--migrated")).toMatchObject({ exitCode: 0 });
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
  expect(await shown(second)).toEqual(await shown(first));
  expect((await shown(second))[1]).toEqual(["", "점심.txt", "text/plain", "Kimchi stew"]);

  // What is changed or missing is found, and an import goes on without it.
  writeFileSync(join(dir, "files", file_id), "Kimchi stEw");
  const damaged = await run(0, "verify", dir, "--offline");
  expect(damaged.exitCode).toBe(1);
  expect(damaged.stderr).toContain(`files/${file_id}: the content was changed`);
  rmSync(join(dir, "files", file_id));
  expect((await run(0, "verify", dir, "--offline")).stderr).toContain(
    `files/${file_id}: the file is missing.`,
  );
  await second.channels.delete("lunch_01");
  const again = await run(1, "import", dir, "--json");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(again.stdout)).toMatchObject({ messages: 2, removed_files: 1 });
  expect((await shown(second))[1]).toEqual(["점심.txt", undefined, undefined, undefined]);
});

test("rows that name files of the channel give them to their messages", async () => {
  const put = await run(0, "files", "put", "lunch_01", join(folder, "점심.txt"), "--json");
  const { file_id } = JSON.parse(put.stdout);
  const dir = join(folder, "written");
  mkdirSync(join(dir, "messages"), { recursive: true });
  const row = { external_id: "by-hand", user_id: "kim_01", created_at: 1, attachments: [{ file_id }] };
  writeFileSync(join(dir, "messages/lunch_01.ndjson"), `${JSON.stringify(row)}\n`);
  expect(await run(0, "import", dir)).toMatchObject({ exitCode: 0 });
  const { url = "", masterKey } = servers[0] ?? {};
  const chat = new ChatClient({ baseUrl: url, apiKey: masterKey });
  const found = await chat.messages.list("lunch_01", { external_ids: ["by-hand"] }).toArray();
  expect(found).toMatchObject([{ attachments: [{ file_id, name: "점심.txt" }] }]);
  const wrong = { ...row, external_id: "wrong", attachments: [{ file_id: "../../etc" }] };
  writeFileSync(join(dir, "messages/lunch_01.ndjson"), `${JSON.stringify(wrong)}\n`);
  const rejected = await run(0, "import", dir);
  expect(rejected).toMatchObject({ exitCode: 1 });
  expect(rejected.stderr).toContain("lunch_01.ndjson:1 (channel lunch_01): attachments.0.file_id");
});

test("an export without the files can be imported, and addresses that have changed are no difference", async () => {
  const dir = join(folder, "rows");
  expect(await run(0, "export", "--all", "--out", dir)).toMatchObject({ exitCode: 0 });
  const path = join(dir, "messages/lunch_01.ndjson");
  const rows = readFileSync(path, "utf8");
  expect(rows).toContain('"url":"http');
  expect(await run(0, "verify", dir)).toMatchObject({ exitCode: 0 });
});
