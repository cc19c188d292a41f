import { mkdir } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, chromium as driver } from "playwright-core";

const { CHROMIUM_PATH } = process.env;

/** The browser of the package is built for Linux on x64; elsewhere `CHROMIUM_PATH` may name one. */
export const hasBrowser =
  CHROMIUM_PATH !== undefined || (process.platform === "linux" && process.arch === "x64");

/** A real browser without a window. */
export async function openBrowser(): Promise<Browser> {
  return driver.launch({
    executablePath: CHROMIUM_PATH ?? (await unpackBrowser()),
    // Run as root, Chromium refuses its sandbox; the pages are our own.
    args: ["--no-sandbox", "--disable-background-networking", "--disable-gpu", "--hide-scrollbars"],
    headless: true,
  });
}

/** The package unpacks into the folder for temporary files, once, for its user alone: each user gets a folder. */
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
