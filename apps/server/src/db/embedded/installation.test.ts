import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findData, prepareInstallation } from "./installation";

const anyUser = 1_000;

test("without root, a cluster that root has put outside the folder is not replaced by an empty one inside", async () => {
  const user = vi.spyOn(process as { getuid: () => number }, "getuid").mockReturnValue(anyUser);
  onTestFinished(() => user.mockRestore());
  const folder = await realpath(await mkdtemp(join(tmpdir(), "madang-test-")));
  onTestFinished(() => rm(folder, { recursive: true }));
  const inside = join(folder, "inside");
  const outside = join(folder, "elsewhere");
  await mkdir(inside);
  expect((await prepareInstallation(inside)).data).toBe(join(inside, "data"));
  await mkdir(outside);
  await symlink(outside, join(inside, "outside"));
  const { data } = await prepareInstallation(inside);
  expect(data).toBe(join(outside, "data"));
  expect(await realpath(join(findData(inside), ".."))).toBe(outside);
});
