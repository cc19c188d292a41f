import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";

// Puts the pages that the server shows beside its code: the console, and the guides with links among each other. What a link
// outside of them leads to is not part of the installed server, so only its text remains.

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const folder = pathOf("../../../docs/guides/");

const names = readdirSync(folder).filter((name) => name.endsWith(".md"));

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

/** The address of a link on the page of a guide. Undefined if the installed server does not have it. */
function addressOf(href: string): string | undefined {
  if (/^https?:/.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor] = href.split("#");
  if (path === "../errors.md") return `../../docs#${anchor ?? "errors"}`;
  return names.includes(path)
    ? `${basename(path, ".md")}${anchor === undefined ? "" : `#${anchor}`}`
    : undefined;
}

const marked = new Marked({
  renderer: {
    // Below the title of the reference.
    heading({ tokens, depth, text }) {
      const level = Math.min(depth + 1, 6);
      return `<h${level} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const address = addressOf(href);
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

const escapeText = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const guides = names.map((name) => {
  const text = readFileSync(`${folder}${name}`, "utf8");
  const [title = name] = /(?<=^# ).+/m.exec(text) ?? [];
  return { id: basename(name, ".md"), title, body: marked.parse(text, { async: false }) };
});

writeFileSync(pathOf("../dist/guides.json"), JSON.stringify(guides));
rmSync(pathOf("../dist/console"), { recursive: true, force: true });
cpSync(pathOf("../../console/dist"), pathOf("../dist/console"), { recursive: true });
