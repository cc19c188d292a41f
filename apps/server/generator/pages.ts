import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { Marked, type Tokens } from "marked";

// Puts the pages that the server shows beside its code: the console, the guides, and every page of the repository that these
// link to. Other files are not part of the installed server, so only the text of a link to one remains.

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const repository = pathOf("../../../");

/** The pages by their paths in the repository. */
const paths = readdirSync(join(repository, "docs/guides"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/guides/${name}`);
const read = (path: string) =>
  readFileSync(join(repository, path), "utf8")
    // Comments name the tests of code blocks.
    .replaceAll(/^<!--.*-->\n/gm, "");
// The list grows while it is read.
for (const path of paths)
  for (const [, href = ""] of read(path).matchAll(/\]\(([^)#\s]+\.md)/g)) {
    const target = join(dirname(path), href);
    if (!/^https?:/.test(href) && !paths.includes(target) && existsSync(join(repository, target)))
      paths.push(target);
  }

/** The address of a page below `/docs`. */
const idOf = (path: string) =>
  path.startsWith("docs/guides/")
    ? `guides/${basename(path, ".md")}`
    : `pages/${path
        .replace(/^docs\//, "")
        .replace(/\.md$/, "")
        .replaceAll("/", "-")
        .toLowerCase()}`;

/** What is around every page has these. */
const idsOfFrame = ["key", "search", "found", "texts", "main"].map((id) => [id, 1] as const);

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** The address of a link on a page. Undefined if the installed server does not have it. */
function addressOf(href: string, from: string, ending = ""): string | undefined {
  if (/^https?:/.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor] = href.split("#");
  const target = join(dirname(from), path);
  if (target === "docs/errors.md" && ending === "") return `../../docs#${anchor ?? "errors"}`;
  if (!paths.includes(target)) return undefined;
  const address = relative(dirname(idOf(from)), idOf(target));
  return `${address}${ending}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** The Markdown of a page, whose links lead to the Markdown of others. */
const toMarkdown = (path: string) =>
  read(path).replaceAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (_, image: string, text: string, href: string) => {
    const address = image === "" ? addressOf(href, path, ".md") : undefined;
    return address === undefined ? text : `[${text}](${address})`;
  });

function toHtml(path: string): string {
  const slugs = new Map(idsOfFrame);
  const marked = new Marked({
    renderer: {
      // Below the title of the reference.
      heading({ tokens, depth, text }) {
        const level = Math.min(depth + 1, 6);
        return `<h${level} id="${uniqueSlug(slugs, text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, path);
        return address === undefined ? text : `<a href="${address}">${text}</a>`;
      },
      // A keyboard reaches what is wider than the page.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeText(text)}</code></pre>\n`,
      table(token) {
        const row = (cells: typeof token.header, tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        return `<div class="wide" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${token.rows
          .map((cells) => row(cells, "td"))
          .join("\n")}</tbody></table></div>\n`;
      },
      // Comments name the tests of code blocks. There is no other markup, and the policy of the pages allows no images.
      html: () => "",
      image: ({ text }) => text,
    },
  });
  return marked.parse(read(path), { async: false });
}

/** A heading that a page has before gets a number, as on GitHub. */
function uniqueSlug(slugs: Map<string, number>, heading: string): string {
  const slug = slugOf(heading);
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** What the search finds: the text below each heading. */
function toSections(path: string) {
  const slugs = new Map(idsOfFrame);
  const sections: { anchor: string; title: string; text: string }[] = [];
  for (const token of new Marked().lexer(toMarkdown(path))) {
    if (token.type === "heading") {
      // A heading of Markdown has this form.
      const { text } = token as Tokens.Heading;
      sections.push({ anchor: uniqueSlug(slugs, text), title: text.replaceAll("`", ""), text: "" });
    } else {
      const section = sections.at(-1);
      if (section) section.text += token.raw.replaceAll(/\]\([^)]*\)|[`*|[\]]|\s+/g, " ");
    }
  }
  return sections;
}

const pages = paths.map((path) => {
  const [title = path] = /(?<=^# ).+/m.exec(read(path)) ?? [];
  return {
    id: idOf(path),
    title,
    body: toHtml(path),
    markdown: toMarkdown(path),
    sections: toSections(path),
  };
});

// Renamed, because a server that starts meanwhile reads these.
writeFileSync(pathOf("../dist/pages.json.new"), JSON.stringify(pages));
renameSync(pathOf("../dist/pages.json.new"), pathOf("../dist/pages.json"));
rmSync(pathOf("../dist/console"), { recursive: true, force: true });
cpSync(pathOf("../../console/dist"), pathOf("../dist/console"), { recursive: true });
