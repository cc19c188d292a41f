import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const folder = new URL("../../docs/", import.meta.url);
const page = fileURLToPath(new URL("performance.md", folder));

/** The parts of docs/performance.md that the benchmark writes, each between two marks. */
export type Section = "ratios" | "growth" | "extras" | "memory" | "peers";

/** Replaces what stands between the marks of a section. */
export async function writeSection(section: Section, text: string): Promise<void> {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const old = await readFile(page, "utf8");
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no marks for ${section}.`);
  await writeFile(page, `${old.slice(0, from + begin.length)}\n${text.trim()}\n${old.slice(to)}`);
}

export async function writeChart(name: string, svg: string): Promise<void> {
  await writeFile(fileURLToPath(new URL(name, folder)), svg);
}

/** Rows of cells as a table of Markdown; the first row is its head. */
export function tableOf([head = [], ...rows]: readonly (readonly string[])[]): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [lineOf(head), `|${head.map(() => "---|").join("")}`, ...rows.map(lineOf)].join("\n");
}

/** The same rows for a terminal: the first column to the left, the others to the right. */
export function alignedOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2),
        )
        .join(""),
    )
    .join("\n");
}
