import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { FolderInUseError, lockFolder } from "./lock-folder";

const contenders = 4;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-lock-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("a folder has one owner at a time, also within a process", () => {
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderInUseError);
  release();
  lockFolder(folder)();
});

// Locks the folder, prints the result, and keeps the lock. Node runs the TypeScript import.
const program = `
  import { lockFolder } from ${JSON.stringify(new URL("./lock-folder.ts", import.meta.url).href)};
  try {
    lockFolder(${JSON.stringify("FOLDER")});
    console.log("owner");
  } catch (error) {
    console.log(error.message);
  }
  setInterval(() => undefined, 60_000);
`;

async function contend(): Promise<{ process: ChildProcess; result: string }> {
  const source = program.replace("FOLDER", folder);
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", source];
  const contender = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: contender.stdout });
  const [result] = (await once(lines, "line")) as [string];
  return { process: contender, result };
}

test("of many processes at once, one becomes the owner, and after it was killed another one", async () => {
  for (let round = 0; round < 2; round++) {
    const all = await Promise.all(Array.from({ length: contenders }, contend));
    expect(all.filter(({ result }) => result === "owner")).toHaveLength(1);
    for (const { result } of all)
      if (result !== "owner") expect(result).toContain("is in use by another process");
    const ended = all.map((each) => once(each.process, "exit"));
    for (const each of all) each.process.kill("SIGKILL");
    await Promise.all(ended);
  }
});
