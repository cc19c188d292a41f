import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { removals } from "../../app/modules";
import type { Database } from "../../db/db";
import { migrate } from "../../db/migrations/migrate";
import { SettingError } from "../../errors/service-error";
import { adoptRestoredEvents } from "../../modules/events/numbering/adopt-store";
import { createEraser } from "../../modules/privacy/erase-store";
import {
  type ErasureRow,
  type KnownErasure,
  listAllErasures,
  repeatErasure,
} from "../../modules/privacy/store";
import type { Settings } from "../../settings/settings";
import { openDatabase } from "../open-database";
import { findDatabase, withDb } from "./database";

/** `madang-server erasures`. Returns what to print. */
export async function erasuresCommand(settings: Settings): Promise<string> {
  const erasures = await withDb(await findDatabase(settings), listAllErasures);
  return erasures.map(formatErasure).join("");
}

/** `madang-server migrate --erase FILE`: the restored database is clean before a server uses it. */
export async function repeatErasuresCommand(
  settings: Settings,
  file: string,
  now: () => number,
  onProgress: (line: string) => void,
): Promise<void> {
  const erasures = await readErasures(file);
  const { DATABASE_URL } = settings;
  const { url, close } =
    DATABASE_URL === undefined
      ? await openDatabase(settings)
      : { url: DATABASE_URL, close: async () => undefined };
  try {
    await migrate(url, { onProgress });
    // Before events are written.
    await adoptRestoredEvents(url);
    const count = await withDb(url, (db) => repeatErasures(db, erasures, now));
    onProgress(`${count} of ${erasures.length} erasures were repeated. The database knew the others.`);
  } finally {
    await close();
  }
}

async function repeatErasures(
  db: Database,
  erasures: readonly KnownErasure[],
  now: () => number,
): Promise<number> {
  let repeated = 0;
  for (const erasure of erasures) if (await repeatErasure(db, erasure)) repeated += 1;
  // Also those that were running when the backup was made. What is on hold stays.
  const step = createEraser({ db, now, ...removals });
  for (;;) {
    const outcome = await step();
    if (!outcome) return repeated;
    if (outcome === "waiting") await sleep(pauseMs);
  }
}

const pauseMs = 100;

const formatErasure = ({ erasureId, userId, messages, createdAt }: ErasureRow) =>
  `${JSON.stringify({ erasure_id: erasureId, user_id: userId, messages, created_at: createdAt })}\n`;

async function readErasures(file: string): Promise<KnownErasure[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new SettingError(`There is no file ${resolve(file)}.`);
  });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, index) => parseErasure(line) ?? rejectLine(file, index + 1));
}

function parseErasure(line: string): KnownErasure | undefined {
  try {
    const { erasure_id, user_id, messages, created_at } = Object(JSON.parse(line));
    const isValid =
      typeof erasure_id === "string" &&
      typeof user_id === "string" &&
      (messages === "erase" || messages === "keep") &&
      Number.isSafeInteger(created_at);
    return isValid ? { erasureId: erasure_id, userId: user_id, messages, createdAt: created_at } : undefined;
  } catch {
    return undefined;
  }
}

function rejectLine(file: string, line: number): never {
  throw new SettingError(
    `Line ${line} of ${resolve(file)} is not an erasure. The file must be the output of madang-server erasures. Nothing was changed.`,
  );
}
