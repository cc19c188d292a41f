import { mkdir } from "node:fs/promises";
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

/** The package unpacks once, with permissions for one user only, so each user gets a directory. */
async function unpackBrowser(): Promise<string> {
  const folder = join(tmpdir(), `madang-chromium-${userInfo().uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
