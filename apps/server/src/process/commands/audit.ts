import { SettingError } from "../../errors";
import { type NotedEnd, verifyChain } from "../../resources/audit/verify-store";
import type { Settings } from "../../settings/settings";
import { findDatabase } from "./find-database";

/** `madang-server audit verify [NUMBER:HASH]`. Returns what to print, and whether the chain is intact. */
export async function verifyAudit(
  settings: Settings,
  end: string | undefined,
): Promise<{ readonly text: string; readonly isIntact: boolean }> {
  const noted = end === undefined ? undefined : parseEnd(end);
  const { entries, first, last, hash, queued, faults } = await verifyChain(
    await findDatabase(settings),
    noted,
  );
  if (faults.length > 0) return { text: `${faults.join("\n")}\n`, isIntact: false };
  const range = entries === 0 ? "no entries" : `${entries} entries, ${first} to ${last}`;
  const waiting = queued === 0 ? "" : ` ${queued} more will be added within seconds.`;
  return { text: `The audit log is intact: ${range}.${waiting}\nIts end: ${last}:${hash}\n`, isIntact: true };
}

function parseEnd(text: string): NotedEnd {
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new SettingError(
      "The end must have the form that audit verify prints: a number, a colon and a hash.",
    );
  return { number: Number(number), hash };
}
