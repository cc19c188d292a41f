import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "./options";

const folder = new URL("../../docs/", import.meta.url);
const page = fileURLToPath(new URL("performance.md", folder));

/** The parts of docs/performance.md that the benchmark writes, each between two comments. */
export type Section = "ratios" | "growth" | "extras" | "keys" | "memory";

/** What a part of the benchmark found. */
export interface Findings {
  /** Tables; the first row of each is its head. */
  readonly tables: readonly Table[];
  /** Sentences below the tables: verdicts, and what is wrong. */
  readonly notes: readonly string[];
  /** Everything that was measured. */
  readonly data: unknown;
  readonly chart?: string;
}

type Table = readonly (readonly string[])[];

/** Prints what was found, and writes it to the output folder and, if asked, to docs/performance.md. */
export async function publish(section: Section, findings: Findings, options: Options): Promise<void> {
  const { tables, notes, data, chart } = findings;
  tell([...tables.map(alignedOf), notes.join("\n")].join("\n\n"));
  await writeFile(join(options.output, `${section}.json`), `${JSON.stringify(data, null, 2)}\n`);
  if (chart !== undefined) await writeFile(join(options.output, `${section}.svg`), chart);
  if (!options["write-docs"]) return;
  const image = chart === undefined ? [] : [`![Cost against size](${section}.svg)`];
  if (chart !== undefined) await writeFile(fileURLToPath(new URL(`${section}.svg`, folder)), chart);
  const list = notes.map((note) => `- ${note}`).join("\n");
  await writeSection(section, [...image, ...tables.map(markdownOf), list].join("\n\n"));
}

export function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Replaces what is between the comments of a section. */
async function writeSection(section: Section, text: string): Promise<void> {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const old = await readFile(page, "utf8");
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/performance.md has no ${begin} … ${end}.`);
  await writeFile(page, `${old.slice(0, from + begin.length)}\n${text.trim()}\n${old.slice(to)}`);
}

function markdownOf([head = [], ...rows]: Table): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [lineOf(head), `|${head.map(() => "---|").join("")}`, ...rows.map(lineOf)].join("\n");
}

/** For a terminal: the first column to the left, the others to the right. */
function alignedOf(rows: Table): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2);
  return rows.map((row) => row.map(align).join("")).join("\n");
}
