import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

const { CHROMIUM_PATH } = process.env;

/** The packaged browser runs only on Linux x64. Elsewhere `CHROMIUM_PATH` can name another. */
export const hasBrowser =
  CHROMIUM_PATH !== undefined || (process.platform === "linux" && process.arch === "x64");

/** A headless browser. */
export async function openBrowser(): Promise<Browser> {
  return driver.launch({
    executablePath: CHROMIUM_PATH ?? (await unpackBrowser()),
    // Chromium cannot use its sandbox as root, and it opens only our own pages.
    args: ["--no-sandbox", "--disable-background-networking", "--disable-gpu", "--hide-scrollbars"],
    headless: true,
  });
}

/** Unpacks the browser once per user. The directory is renamed when complete, so an interrupted run leaves none. */
async function unpackBrowser(): Promise<string> {
  const folder = join(tmpdir(), `madang-chromium-${userInfo().uid}`);
  const program = join(folder, "chromium");
  if (existsSync(program)) return program;
  const unpacked = await mkdtemp(`${folder}-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = unpacked;
  try {
    await chromium.executablePath();
    await rename(unpacked, folder);
  } catch (error) {
    await rm(unpacked, { recursive: true, force: true });
    // Another test file may have finished first.
    if (!existsSync(program)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  return program;
}
