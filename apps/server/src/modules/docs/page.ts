import { type ErrorCode, errorCodes, errorHelp, errors, type OpenApiDocument } from "@madang/contract";
import { findCommon } from "./common";
import { isGuide, readPages } from "./guides";
import { Html, html, nothing, prose } from "./html";
import { introduction } from "./introduction";
import { type DescribedOperation, listOperations } from "./reference/described-operation";
import { operationSection } from "./reference/operation-section";

const pages = readPages();
const guides = pages.filter(isGuide);

/** The operations of a resource, which have a page. */
interface Chapter {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DescribedOperation[];
}

interface Content {
  /** As a file extension. */
  readonly type: "html" | "md" | "txt" | "json";
  readonly text: string;
}

/** What is served, by its path. Their content comes from the OpenAPI document, the explanations of the errors and the guides. */
export function renderPages(document: OpenApiDocument, hasConsole: boolean): ReadonlyMap<string, Content> {
  const operations = listOperations(document);
  const common = findCommon(operations);
  const chapters = document.tags.map((tag) => ({
    ...tag,
    id: tag.name.toLowerCase().replaceAll(" ", "-"),
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  const contents = new Map<string, Content>();
  const addPage = (path: string, parts: Omit<Parts, "document" | "chapters">) =>
    contents.set(path, { type: "html", text: renderPage({ document, chapters, ...parts }) });
  const start = html`${introduction(common, document)}${resourceList(chapters)}${errorChapter()}`;
  addPage("/docs", { root: "./", title: "", current: "", main: start });
  for (const chapter of chapters) {
    const sections = chapter.operations.map((operation) => operationSection(operation, document, common));
    const main = html`<h2 id="${chapter.id}">${chapter.name}</h2>
<p>${prose(chapter.description)}</p>
${sections}`;
    addPage(`/docs/${chapter.id}`, { root: "../", title: chapter.name, current: chapter.id, main });
  }
  for (const { id, title, body, markdown } of pages) {
    // Made from the repository's own pages when the server was built.
    const main = html`<article class="guide">${new Html(body)}</article>`;
    addPage(`/docs/${id}`, { root: "../../", title, current: id, main });
    contents.set(`/docs/${id}.md`, { type: "md", text: markdown });
  }
  return contents
    .set("/", { type: "html", text: renderIndex(document, hasConsole) })
    .set("/docs/texts.json", { type: "json", text: JSON.stringify(listTexts(chapters)) })
    .set("/llms.txt", { type: "txt", text: listForModels(document) });
}

/** The list of the guides and the OpenAPI document, for language models: https://llmstxt.org. */
function listForModels({ info }: OpenApiDocument): string {
  const links = (list: typeof pages) => list.map(({ id, title }) => `- [${title}](docs/${id}.md)`).join("\n");
  const others = pages.filter((page) => !isGuide(page));
  return `# ${info.title}

> ${info.summary}

- [The API as an OpenAPI document](openapi.json)

## Guides

${links(guides)}

## Optional

${links(others)}
`;
}

/** The texts that the search covers: a title, where it is below `/docs`, and what is said there. */
function listTexts(chapters: readonly Chapter[]) {
  const operations = chapters.flatMap((chapter) =>
    chapter.operations.map(({ id, operation }) => ({
      href: `${chapter.id}#${id}`,
      title: operation.summary,
      text: `${id} ${operation.description}`,
    })),
  );
  // The reference itself lists the codes of errors.
  const searched = pages.filter(({ id }) => id !== "pages/errors");
  const sections = searched.flatMap((page) =>
    page.sections.map(({ anchor, title, text }) => ({
      href: `${page.id}#${anchor}`,
      title: title === page.title ? title : `${page.title}: ${title}`,
      text,
    })),
  );
  return [...operations, ...sections];
}

/** The page at `/`, for somebody who opens the address of the service in a browser. */
function renderIndex({ info }: OpenApiDocument, hasConsole: boolean): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title}</title>
<link rel="icon" href="data:,">
</head>
<body>
<h1>${info.title}</h1>
<p>${info.summary}</p>
<ul>
<li><a href="./docs">Reference and guides</a></li>
<li><a href="./openapi.json">OpenAPI document</a></li>
${hasConsole ? html`<li><a href="./console">Console</a></li>` : nothing}
</ul>
</body>
</html>
`.text;
}

interface Parts {
  readonly document: OpenApiDocument;
  readonly chapters: readonly Chapter[];
  /** Where the API is, relative to the page: a proxy can serve it below a path. */
  readonly root: string;
  /** Empty on the start page. */
  readonly title: string;
  /** The page below `/docs`. */
  readonly current: string;
  readonly main: Html;
}

function renderPage({ document, chapters, root, title: ownTitle, current, main }: Parts): string {
  const { title, summary } = document.info;
  return html`<!doctype html>
<html lang="en" data-root="${root}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${ownTitle === "" ? "" : `${ownTitle}, `}${title} reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/reference.css">
<script type="module" src="${root}docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header>
<h1>${title} <span>reference</span></h1>
<p>${summary}</p>
<div class="key" data-script hidden>
<label for="key">API key for “Try it”</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
<p id="key-note">The key stays in this page and is sent only to this server. Calls change real data.</p>
</div>
</header>
<nav aria-label="Contents"><details open><summary>Contents</summary>
<search data-script hidden><label for="search">Search <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p>
<ul id="texts" class="operations" hidden></ul></search>
<section>${pageLink(`${root}docs`, "Introduction", current === "")}</section>
${chapters.map((chapter) => chapterLinks(chapter, root, chapter.id === current))}
${guideLinks(root, current)}
<section><a href="${root}docs#errors">Errors</a><ul class="others" hidden>${errorCodes.map(
    (code) => html`<li><a href="${root}docs#${code}">${code}</a></li>`,
  )}</ul></section>
</details></nav>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.text;
}

function pageLink(href: string, name: string | Html, isCurrent: boolean): Html {
  return html`<a href="${href}"${isCurrent ? html` aria-current="page"` : nothing}>${name}</a>`;
}

function linkList(links: readonly Html[], isCurrent: boolean): Html {
  return isCurrent
    ? html`<ul class="operations">${links}</ul>`
    : html`<ul class="operations others" hidden>${links}</ul>`;
}

/** The operations of other pages and the error codes are listed only while they are searched for. */
function chapterLinks({ id: chapterId, name, operations }: Chapter, root: string, isCurrent: boolean): Html {
  const page = `${root}docs/${chapterId}`;
  const links = operations.map(
    ({ id, method, path, operation }) =>
      html`<li data-words="${id} ${path}"><a href="${page}#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${operation.summary}</span></a></li>`,
  );
  return html`<section>${pageLink(page, name, isCurrent)}${linkList(links, isCurrent)}</section>`;
}

function guideLinks(root: string, current: string): Html {
  const links = guides.map(
    ({ id, title }) =>
      html`<li data-words="${title}">${pageLink(`${root}docs/${id}`, prose(title), current === id)}</li>`,
  );
  const list = linkList(links, current.startsWith("guides/"));
  return html`<section><a href="${root}docs#guides">Guides</a>${list}</section>`;
}

function resourceList(chapters: readonly Chapter[]): Html {
  const entries = chapters.map(
    ({ id, name, description }) =>
      html`<div><dt><a href="docs/${id}">${name}</a></dt><dd>${prose(description)}</dd></div>`,
  );
  return html`<section class="chapter" id="resources" aria-labelledby="resources.title">
<h2 id="resources.title">Resources</h2>
<dl class="resources">${entries}</dl>
</section>
<section class="chapter" id="guides" aria-labelledby="guides.title">
<h2 id="guides.title">Guides</h2>
<ul>${guides.map(({ id, title }) => html`<li><a href="./docs/${id}">${prose(title)}</a></li>`)}</ul>
</section>`;
}

function errorChapter(): Html {
  return html`<section class="chapter" id="errors" aria-labelledby="errors.title">
<h2 id="errors.title">Errors</h2>
<p>All error codes. Each has one status. The <code>detail</code> of a response explains the error.</p>
<div class="entries">${errorCodes.map(errorSection)}</div>
</section>`;
}

/** What a code means and what to do. The `type` of an error response links here. */
function errorSection(code: ErrorCode): Html {
  const { status, title } = errors[code];
  const { happened, fix } = errorHelp[code];
  return html`<section class="error" id="${code}" aria-labelledby="${code}.title">
<h3 id="${code}.title"><span class="status">${status}</span> <a href="#${code}"><code>${code}</code></a></h3>
<p><strong>${title}.</strong> ${prose(happened)}</p>
<p>${prose(fix)}</p>
${code === "unauthenticated" ? html`<p data-script hidden><a href="#key">Enter an API key for “Try it”</a></p>` : nothing}
</section>`;
}
