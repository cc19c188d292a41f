import { readdirSync, readFileSync } from "node:fs";

export const root = new URL("../../", import.meta.url);

const skipped = new Set(["node_modules", "dist", "generated", "results", "CHANGELOG.md"]);

/** The path of every page from the root. */
export const pages: readonly string[] = listPages("");

export function readPage(page: string): string {
  return readFileSync(new URL(page, root), "utf8");
}

export interface Block {
  readonly page: string;
  readonly line: number;
  /** The comment before it, which names the test that runs it or the reason why none does. */
  readonly marker: string;
  readonly code: string;
}

/** The fenced blocks of a page. */
export function listBlocks(page: string): Block[] {
  const text = readPage(page);
  // A page can have one comment for all of its blocks.
  const ofPage = /^<!-- every block is (run by .*) -->$/m.exec(text)?.[1];
  return [...text.matchAll(/^ *```[^\n`]*\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const before = text.slice(0, match.index).trimEnd().split("\n");
    const marker = before.at(-1) ?? "";
    return {
      page,
      line: text.slice(0, match.index).split("\n").length,
      marker: marker.startsWith("<!--") || ofPage === undefined ? marker : `<!-- ${ofPage} -->`,
      code: match[1] ?? "",
    };
  });
}

function listPages(folder: string): string[] {
  return readdirSync(new URL(`./${folder}`, root), { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry;
    if (name.startsWith(".") || skipped.has(name)) return [];
    if (entry.isDirectory()) return listPages(`${folder}${name}/`);
    return name.endsWith(".md") ? [`${folder}${name}`] : [];
  });
}
