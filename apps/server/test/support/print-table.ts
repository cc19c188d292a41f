import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { Row } from "./report";

/** Provides a file to which the tests add rows, and prints the rows as one table after the last test. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "madang-report-"));
  const file = join(folder, "rows");
  project.provide("chaosReport", file);
  return async () => {
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
    const rows = lines.map((line): Row => JSON.parse(line));
    process.stdout.write(`\n${project.name}\n\n${table(rows)}\n`);
    await rm(folder, { recursive: true, force: true });
  };
}

function table(rows: readonly Row[]): string {
  const head = ["test", "load", "sent", "acknowledged", "lost", "duplicated", "wrong", "longest outage"];
  const body = rows.map((row) => [
    row.fault,
    row.load,
    ...[row.sent, row.acknowledged, row.lost, row.duplicated, row.wrong].map((value) =>
      value.toLocaleString("en-US"),
    ),
    row.maxOutageMs === undefined ? "–" : `${Math.round(row.maxOutageMs).toLocaleString("en-US")} ms`,
  ]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
