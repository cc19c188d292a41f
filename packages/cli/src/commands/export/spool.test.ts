import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Journal } from "./journal";
import { type SpoolPage, spool } from "./spool";

test("a list that continues reports apart what an earlier run wrote", async () => {
  const dir = await mkdtemp(join(tmpdir(), "madang-spool-"));
  const reported: [string, number][] = [];
  const progress = {
    add: (count: number) => void reported.push(["add", count]),
    resume: (count: number) => void reported.push(["resume", count]),
    end: () => undefined,
  };
  const target = { dir, name: "users", idField: "user_id" };
  async function* list(cursor: string | undefined): AsyncGenerator<SpoolPage> {
    if (cursor === undefined) yield { rows: [{ user_id: "kim_01" }, { user_id: "kim_02" }], cursor: "two" };
    else yield { rows: [{ user_id: "kim_03" }], cursor: undefined };
    if (cursor === undefined) throw new Error("It is interrupted.");
  }
  const journal = await Journal.open(join(dir, "journal"), {});
  await expect(spool(journal, target, list, progress)).rejects.toThrow("interrupted");
  expect((await spool(journal, target, list, progress)).rows).toBe(3);
  expect(reported).toEqual([
    ["resume", 0],
    ["add", 2],
    ["resume", 2],
    ["add", 1],
  ]);
  await journal.close();
  await rm(dir, { recursive: true });
});
