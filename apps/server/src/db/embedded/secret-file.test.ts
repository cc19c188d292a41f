import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOrCreateSecret } from "./secret-file";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "madang-secret-"));
  file = join(folder, "secret");
});
afterEach(() => rm(folder, { recursive: true }));

let count = 0;
const create = () => `secret ${count++}`;

test("many that create a secret at once all get the same one, and nobody else may read it", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecret(file, create)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readOrCreateSecret(file, create)).toBe(secrets[0]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["secret"]);
});

test("a file that is empty is an error, and stays as it is", async () => {
  await writeFile(file, "\n");
  await expect(readOrCreateSecret(file, create)).rejects.toThrow("is empty");
  expect(await readFile(file, "utf8")).toBe("\n");
});

// Windows has no permissions of this kind.
test.skipIf(process.platform === "win32")(
  "so is one that cannot be read, even if it could be written",
  async () => {
    await writeFile(file, "the only copy", { mode: 0o200 });
    const restore = await becomeOrdinary();
    await expect(readOrCreateSecret(file, create).finally(restore)).rejects.toThrow("EACCES");
    await chmod(file, 0o600);
    expect(await readFile(file, "utf8")).toBe("the only copy");
  },
);

/** Root may read every file: then this process becomes nobody, who owns the file, until `restore` is called. */
async function becomeOrdinary(): Promise<() => void> {
  if (process.getuid?.() !== 0) return () => undefined;
  const nobody = 65_534;
  await chown(folder, nobody, nobody);
  await chown(file, nobody, nobody);
  process.seteuid?.(nobody);
  return () => process.seteuid?.(0);
}

test("a link to a file that is away, as on a volume that is not mounted, is not followed to create one", async () => {
  const away = join(folder, "away");
  await symlink(away, file);
  await expect(readOrCreateSecret(file, create)).rejects.toThrow("ENOENT");
  expect(await readdir(folder)).toEqual(["secret"]);
});
