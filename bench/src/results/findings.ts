import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Options } from "../options";

const folder = new URL("../../docs/measurements/", import.meta.url);

/** The parts of the benchmark. Each writes its tables to a page of its own in docs/measurements, between two comments. */
export type Section =
  | "ratios"
  | "growth"
  | "events"
  | "audit"
  | "hooks"
  | "presence"
  | "import"
  | "search"
  | "streaming"
  | "citus";

/** The results of a part of the benchmark. */
export interface Findings {
  /** Tables. The first row of each is its header. */
  readonly tables: readonly Table[];
  /** Sentences below the tables: verdicts and failures. */
  readonly notes: readonly string[];
  /** Everything that was measured. */
  readonly data: unknown;
}

type Table = readonly (readonly string[])[];

/** Prints the results, and writes them to the output folder and, with `--write-docs`, to docs/measurements. */
export async function publish(section: Section, findings: Findings, options: Options): Promise<void> {
  const { tables, notes, data } = findings;
  print([...tables.map(alignedOf), notes.join("\n")].join("\n\n"));
  await writeFile(join(options.output, `${section}.json`), `${JSON.stringify(data, null, 2)}\n`);
  if (!options["write-docs"]) return;
  const list = notes.map((note) => `- ${note}`).join("\n");
  await writeSection(section, [...tables.map(markdownOf), list].join("\n\n"));
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Replaces the text between the comments of a section. */
async function writeSection(section: Section, text: string): Promise<void> {
  const [begin, end] = [`<!-- bench:${section} -->`, `<!-- /bench:${section} -->`];
  const page = fileURLToPath(new URL(`${section}.md`, folder));
  const old = await readFile(page, "utf8");
  const [from, to] = [old.indexOf(begin), old.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`docs/measurements/${section}.md has no ${begin} … ${end}.`);
  await writeFile(page, `${old.slice(0, from + begin.length)}\n${text.trim()}\n${old.slice(to)}`);
}

function markdownOf([head = [], ...rows]: Table): string {
  const lineOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [lineOf(head), `|${head.map(() => "---|").join("")}`, ...rows.map(lineOf)].join("\n");
}

/** Formats a table for a terminal, with the first column aligned left and the others right. */
function alignedOf(rows: Table): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart((widths[column] ?? 0) + 2);
  return rows.map((row) => row.map(align).join("")).join("\n");
}
