import { readFile, rm, writeFile } from "node:fs/promises";

/** Makes this process the owner of a folder, by a file that holds its id; the answer gives the folder up again. */
export async function claim(file: string): Promise<() => Promise<void>> {
  const mine = `${process.pid}\n`;
  for (;;) {
    try {
      await writeFile(file, mine, { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const owner = Number(await readFile(file, "utf8").catch(() => "0"));
    if (owner !== process.pid && isRunning(owner))
      throw new Error(
        `The data folder is in use by the process ${owner}. Stop it, or name another folder with MADANG_DATA_DIR.`,
      );
    await rm(file, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Not ours to signal, and so alive.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
