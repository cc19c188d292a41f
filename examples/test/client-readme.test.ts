import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { readPage, root } from "./pages";

const page = "packages/client/README.md";
const samples = [...readPage(page).matchAll(/^<!-- (samples\/[\w-]+\.ts) -->$/gm)].map(
  ([, sample]) => sample,
);

test("the samples of the SDK's README run on a real server, one after another, and all of them again", async () => {
  expect(samples.length).toBeGreaterThan(4);
  const env = { ...process.env, MADANG_URL: inject("url"), MADANG_API_KEY: inject("masterKey") };
  for (const sample of [...samples, ...samples]) {
    const program = new URL(`packages/client/${sample}`, root).pathname;
    const { stderr } = await promisify(execFile)(process.execPath, [program], { env });
    expect([sample, stderr]).toEqual([sample, ""]);
  }
});
