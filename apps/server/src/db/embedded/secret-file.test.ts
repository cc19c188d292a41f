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

test("concurrent calls get the same secret, and only its owner may read it", async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => readOrCreateSecret(file, create)));
  expect(new Set(secrets).size).toBe(1);
  expect(await readOrCreateSecret(file, create)).toBe(secrets[0]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["secret"]);
});

test("an empty file is an error and is not changed", async () => {
  await writeFile(file, "\n");
  await expect(readOrCreateSecret(file, create)).rejects.toThrow("is empty");
  expect(await readFile(file, "utf8")).toBe("\n");
});

// Windows has no permissions of this kind.
test.skipIf(process.platform === "win32")(
  "a file that cannot be read is an error and is not changed, even if it is writable",
  async () => {
    await writeFile(file, "the only copy", { mode: 0o200 });
    const restore = await dropPrivileges();
    await expect(readOrCreateSecret(file, create).finally(restore)).rejects.toThrow("EACCES");
    await chmod(file, 0o600);
    expect(await readFile(file, "utf8")).toBe("the only copy");
  },
);

/** Root may read every file, so until `restore` is called, this process runs as the user nobody, who owns the file. */
async function dropPrivileges(): Promise<() => void> {
  if (process.getuid?.() !== 0) return () => undefined;
  const nobody = 65_534;
  await chown(folder, nobody, nobody);
  await chown(file, nobody, nobody);
  process.seteuid?.(nobody);
  return () => process.seteuid?.(0);
}

test("a secret is not created through a dangling link, as to a volume that is not mounted", async () => {
  const missing = join(folder, "missing");
  await symlink(missing, file);
  await expect(readOrCreateSecret(file, create)).rejects.toThrow("ENOENT");
  expect(await readdir(folder)).toEqual(["secret"]);
});
