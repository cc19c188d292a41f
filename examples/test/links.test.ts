import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { pages, readPage, root } from "./pages";

test.each(pages)("%s: every link points to an existing file and heading", (page) => {
  expect(listLinks(page).filter((link) => !isValid(page, link))).toEqual([]);
});

test("docs/decisions/README.md lists every decision with its title", () => {
  const folder = "docs/decisions/";
  const decisions = pages.filter((page) => page.startsWith(folder) && page !== `${folder}README.md`).sort();
  expect(decisions.length).toBeGreaterThan(10);
  const lines = decisions.map((page) => {
    const file = page.slice(folder.length);
    return `- [${readPage(page).split("\n")[0]?.slice(2)}](${file})`;
  });
  const listed = readPage(`${folder}README.md`)
    .split("\n")
    .filter((line) => line.startsWith("- "));
  expect(listed).toEqual(lines);
});

test("docs/architecture.md names folders and files of the server that exist", () => {
  const text = readPage("docs/architecture.md");
  const sources = new URL("apps/server/src/", root);
  const paths = [...text.matchAll(/`((?:app|call|chat|db|modules|process|write)\/[\w/-]*)`/g)].map(
    ([, path]) => path,
  );
  const missing = paths.filter(
    (path) => ![`${path}`, `${path}.ts`].some((each) => existsSync(new URL(each, sources))),
  );
  const names = new Set(
    readdirSync(sources, { recursive: true }).map((path) => basename(String(path), ".ts")),
  );
  const stores = [...text.matchAll(/[\w-]+-store\b/g)]
    .map(([name]) => name)
    .filter((name) => !names.has(name));
  expect(paths.length).toBeGreaterThan(10);
  expect([...missing, ...stores]).toEqual([]);
});

/** The links of a page to files of the repository. External links are not checked: tests need no network. */
function listLinks(page: string): string[] {
  const text = readPage(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, "");
  return [...text.matchAll(/\]\(<?([^()\s>]+)>?\)/g)]
    .map(([, link]) => link ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));
}

function isValid(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? new URL(page, root) : new URL(path, new URL(page, root));
  if (!existsSync(target)) return false;
  if (anchor === undefined) return true;
  return statSync(target).isFile() && listAnchors(readFileSync(target, "utf8")).has(anchor);
}

/** The anchors that GitHub gives the headings of a page. */
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
