import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ChatClient } from "@madang/client";
import { expect, onTestFinished, test } from "vitest";
import { startProcess } from "../faults/process";
import { createDatabase } from "../support/database";
import { runProgram } from "../support/program";
import { masterKey } from "../support/server";

test("files check says how the folder and the database differ, while the server runs, and removes what is left over", async () => {
  const database = await createDatabase();
  onTestFinished(database.drop);
  const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = { MADANG_FILES: `folder:${folder}` };
  const server = await startProcess(database.url, settings);
  onTestFinished(async () => void (await server.end("SIGTERM")));
  const check = (...words: string[]) =>
    runProgram(["files", "check", ...words], { DATABASE_URL: database.url, ...settings }).ended;

  const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey });
  await chat.users.create({ user_id: "kim_01", name: "Kim" });
  await chat.channels.create({ channel_id: "room_1", name: "Lunch", members: ["kim_01"] });
  const upload = (content: string) =>
    chat.files.upload("room_1", Buffer.from(content), {
      user_id: "kim_01",
      name: "a.txt",
      type: "text/plain",
    });
  const [lost, kept] = [await upload("lost"), await upload("kept")];
  const equal = { code: 0, output: "The storage contains what the database says.\n" };
  expect(await check()).toEqual(equal);

  const pathOf = (fileId: string) => join(folder, fileId.slice(5, 7), fileId);
  await rm(pathOf(lost.file_id));
  const leftOver = "file_00000000-0000-4000-8000-000000000000";
  await mkdir(join(folder, "00"), { recursive: true });
  await writeFile(pathOf(leftOver), "from after the backup");
  const different = await check();
  expect(different.code).toBe(1);
  expect(different.output.trimEnd().split("\n").sort()).toEqual(
    ["2 differences", `${leftOver} left over`, `${lost.file_id} missing`].sort(),
  );

  const removed = await check("--remove");
  expect(removed.code).toBe(1);
  expect(removed.output).toContain(`${leftOver} removed\n`);
  await writeFile(pathOf(lost.file_id), "lost");
  expect(await check()).toEqual(equal);
  const { url = "" } = await chat.files.get(kept.file_id);
  expect(await (await fetch(url)).text()).toBe("kept");

  // A folder that is not mounted is not created, and its files do not count as missing.
  const nowhere = join(folder, "nowhere");
  const unmounted = { DATABASE_URL: database.url, MADANG_FILES: `folder:${nowhere}` };
  expect((await runProgram(["files", "check"], unmounted).ended).output).toContain(
    "madang-database-id is missing",
  );
  expect(existsSync(nowhere)).toBe(false);

  // What cannot be the folder of the database is not emptied, until it is said to be.
  const adopted = {
    DATABASE_URL: database.url,
    MADANG_FILES: `folder:${join(folder, "..", `${basename(folder)}-moved`)}`,
  };
  const moved = adopted.MADANG_FILES.slice("folder:".length);
  onTestFinished(() => rm(moved, { recursive: true }));
  await mkdir(join(moved, "00"), { recursive: true });
  await writeFile(join(moved, "00", leftOver), "of another");
  const run = (...words: string[]) => runProgram(["files", ...words], adopted).ended;
  const refused = await run("check", "--remove");
  expect(refused).toMatchObject({
    code: 1,
    output: expect.stringContaining("run madang-server files adopt"),
  });
  expect(existsSync(join(moved, "00", leftOver))).toBe(true);
  expect(await run("adopt")).toEqual({ code: 0, output: "The storage is that of the database.\n" });
  expect((await run("check", "--remove")).output).toContain(`${leftOver} removed\n`);

  const off = await runProgram(["files", "check"], { DATABASE_URL: database.url, MADANG_FILES: "off" }).ended;
  expect(off).toMatchObject({ code: 2, output: expect.stringContaining("MADANG_FILES is off") });
});

test("a server whose folder cannot be written does not start, and says which it is", async () => {
  const folder = await mkdtemp(join(tmpdir(), "madang-files-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const notFolder = join(folder, "file");
  await writeFile(notFolder, "");
  const database = await createDatabase();
  onTestFinished(database.drop);
  const settings = { DATABASE_URL: database.url, MADANG_MASTER_KEY: masterKey };
  const { code, output } = await runProgram(["start"], { ...settings, MADANG_FILES: `folder:${notFolder}` })
    .ended;
  expect(code).toBe(2);
  expect(output).toContain(`MADANG_FILES names the folder ${notFolder}, which cannot be written`);
});
