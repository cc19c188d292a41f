import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { pages, readPage, root } from "./pages";

test.each(pages)("%s: every link leads to a file, and to a heading of it", (page) => {
  expect(listLinks(page).filter((link) => !leadsSomewhere(page, link))).toEqual([]);
});

test("the links are found", () => {
  expect(listLinks("docs/decisions/README.md").length).toBeGreaterThan(40);
});

/** The links of a page into the repository. Those to elsewhere are not followed: a test needs no network. */
function listLinks(page: string): string[] {
  const text = readPage(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...text.matchAll(/\]\(<?([^()\s>]+)>?\)/g)]
    .map(([, link]) => link ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? new URL(page, root) : new URL(path, new URL(page, root));
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  return statSync(target).isFile() && listAnchors(readFileSync(target, "utf8")).has(anchor);
}

/** What GitHub names the headings of a page. */
function listAnchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => heading ?? "");
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}
