import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { codeOf, unlessMissing } from "../../errors/thrown";

/**
 * The secret in a file, which is created once and never overwritten: a secret that cannot be read is an error, because
 * data depends on it. Concurrent calls return the same secret.
 */
export async function readOrCreateSecret(file: string, create: () => string): Promise<string> {
  const known = await unlessMissing(readFile(file, "utf8"));
  if (known !== undefined) return requireText(file, known);
  // Written under another name first, so that no crash leaves an empty file.
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${create()}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
  return requireText(file, await readFile(file, "utf8"));
}

function requireText(file: string, content: string): string {
  const secret = content.trim();
  if (secret === "") throw new Error(`The file ${file} is empty. Restore it from a backup.`);
  return secret;
}
