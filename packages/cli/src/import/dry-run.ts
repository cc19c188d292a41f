import { type Kind, kinds } from "../data/tables";
import { findProblem, nameRow } from "./find-problem";
import type { Source } from "./sources";

export interface DryRun {
  readonly rows: Readonly<Record<Kind, number>>;
  /** A sentence for each row that would be rejected. */
  readonly problems: readonly string[];
}

/** Reads and checks all rows and sends nothing. */
export async function dryRun(sources: readonly Source[], onRows: (count: number) => void): Promise<DryRun> {
  const counts = new Map<Kind, number>();
  const problems: string[] = [];
  for (const { path, kind, channelId, rows } of sources)
    for await (const batch of rows()) {
      counts.set(kind, (counts.get(kind) ?? 0) + batch.length);
      for (const row of batch) {
        const problem = findProblem(kind, row, channelId);
        if (problem !== undefined) problems.push(`${path}: ${nameRow(row)}: ${problem}`);
      }
      onRows(batch.length);
    }
  // Every kind is a key.
  const rows = Object.fromEntries(kinds.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<Kind, number>;
  return { rows, problems };
}
