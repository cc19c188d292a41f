import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { Journal } from "./journal";

test("after a step that a full disk cut, none is added, and the export can continue", async () => {
  const dir = await mkdtemp(join(tmpdir(), "madang-journal-"));
  const path = join(dir, "journal");
  const stepOf = (name: string) => ({ name, checkpoint: { bytes: 1, rows: 1 } });
  const journal = await Journal.open(path, {});
  await journal.add(stepOf("users"));
  const handle = await open(path);
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const append = vi.spyOn(prototype, "appendFile");
  append.mockImplementationOnce(async function (this: FileHandle, line) {
    await this.write(String(line).slice(0, 10));
    throw Object.assign(new Error("No space is left."), { code: "ENOSPC" });
  });
  const results = await Promise.allSettled([journal.add(stepOf("one")), journal.add(stepOf("two"))]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  append.mockRestore();
  await handle.close();
  await journal.close();

  const resumed = await Journal.open(path, {});
  expect(["users", "one", "two"].map((name) => resumed.checkpointOf(name)?.rows)).toEqual([
    ...[1, undefined, undefined],
  ]);
  await resumed.close();
  await rm(dir, { recursive: true });
});
