import { expect, test } from "vitest";
import { writeOrExplain } from "./write-or-explain";

test("a write runs again after a concurrent change, and returns its result", async () => {
  const results = [[], [], ["stored"]];
  let explanations = 0;
  const write = async () => results.shift() ?? [];
  const result = await writeOrExplain(write, async () => {
    explanations++;
    return undefined;
  });
  expect([result, explanations]).toEqual(["stored", 2]);
});

test("a result that is false or empty is a result", async () => {
  const explain = () => Promise.reject(new Error("not called"));
  expect(await writeOrExplain(async () => [false], explain)).toBe(false);
  expect(await writeOrExplain(async () => [""], explain)).toBe("");
});

test("a write that never takes effect ends with 503 after ten attempts", async () => {
  let writes = 0;
  const write = async () => {
    writes++;
    return [];
  };
  await expect(writeOrExplain(write, async () => undefined)).rejects.toMatchObject({ code: "unavailable" });
  expect(writes).toBe(10);
});
