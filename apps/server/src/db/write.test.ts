import { expect, test } from "vitest";
import { writeOrExplain } from "./write";

test("a write that was overtaken by a change runs again, and its result counts", async () => {
  const results = [undefined, undefined, "stored"];
  let looks = 0;
  const write = async () => results.shift();
  const result = await writeOrExplain(write, async () => {
    looks++;
    return undefined;
  });
  expect([result, looks]).toEqual(["stored", 2]);
});

test("a result that is false or empty is a result", async () => {
  const explain = () => Promise.reject(new Error("not asked"));
  expect(await writeOrExplain(async () => false, explain)).toBe(false);
  expect(await writeOrExplain(async () => "", explain)).toBe("");
});

test("a write that never takes effect ends with 503 after ten attempts", async () => {
  let writes = 0;
  const write = async () => void writes++;
  await expect(writeOrExplain(write, async () => undefined)).rejects.toMatchObject({ code: "unavailable" });
  expect(writes).toBe(10);
});
