import { errorCodes, type OpenApiDocument } from "@madang/contract";
import { type Common, findCommon } from "./common";
import { type DescribedOperation, listOperations } from "./described-operation";
import { errorSection } from "./error-section";
import { schemaFields } from "./fields";
import { type Html, html, nothing, prose } from "./html";
import { introduction } from "./introduction";
import { operationSection } from "./operation-section";
import { schemaId } from "./rules";

/** The reference page. Its content comes from the OpenAPI document and the explanations of the errors. */
export function renderPage(document: OpenApiDocument): string {
  const operations = listOperations(document);
  const common = findCommon(operations);
  const chapters = document.tags.map((tag) => ({
    ...tag,
    operations: operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  }));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${document.info.title} reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/reference.css">
<script type="module" src="docs/reference.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the reference</a>
<header>
<h1>${document.info.title} <span>reference</span></h1>
<p>${document.info.summary}</p>
<div class="key" data-script hidden>
<label for="key">API key for “Try it”</label>
<input id="key" type="password" autocomplete="off" spellcheck="false" aria-describedby="key-note">
<p id="key-note">The key stays in this page and is sent only to this server. Calls change real data.</p>
</div>
</header>
<nav aria-label="Contents"><details open><summary>Contents</summary>
<search data-script hidden><label for="search">Search <kbd>/</kbd></label>
<input id="search" type="search" autocomplete="off" spellcheck="false">
<p id="found" role="status"></p></search>
<section><a href="#introduction">Introduction</a></section>
${chapters.map(chapterLinks)}
<section><a href="#schemas">Schemas</a>${nameList(schemaNames(document).map((name) => [schemaId(name), name]))}</section>
<section><a href="#errors">Errors</a>${nameList(errorCodes.map((code) => [code, code]))}</section>
</details></nav>
<main id="main" tabindex="-1">
${introduction(common, document)}
${chapters.map((chapter) => chapterSection(chapter, document, common))}
${schemaChapter(document)}
${errorChapter()}
</main>
</body>
</html>
`.text;
}

interface Chapter {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly DescribedOperation[];
}

function chapterLinks({ name, operations }: Chapter): Html {
  const links = operations.map(({ id, method, path, operation }) => {
    const badge = operation["x-madang-extension"] ? html` <small>Extension</small>` : nothing;
    return html`<li data-words="${id} ${path}"><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span> <span>${operation.summary}${badge}</span></a></li>`;
  });
  return html`<section><a href="#${chapterId(name)}">${name}</a><ul>${links}</ul></section>`;
}

/** Names that are listed only while they are searched for. */
function nameList(names: readonly (readonly [id: string, name: string])[]): Html {
  return html`<ul class="names" hidden>${names.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul>`;
}

function chapterSection(
  { name, description, operations }: Chapter,
  document: OpenApiDocument,
  common: Common,
): Html {
  const id = chapterId(name);
  return html`<section class="chapter" id="${id}" aria-labelledby="${id}.title">
<h2 id="${id}.title">${name}</h2>
<p>${prose(description)}</p>
${operations.map((operation) => operationSection(operation, document, common))}
</section>`;
}

function schemaNames({ components }: OpenApiDocument): string[] {
  return Object.keys(components.schemas).sort((one, other) => one.localeCompare(other));
}

function schemaChapter(document: OpenApiDocument): Html {
  const schemas = schemaNames(document).map(
    (name) => [name, document.components.schemas[name] ?? {}] as const,
  );
  return html`<section class="chapter" id="schemas" aria-labelledby="schemas.title">
<h2 id="schemas.title">Schemas</h2>
<div class="entries">${schemas.map(
    ([
      name,
      schema,
    ]) => html`<section class="schema" id="${schemaId(name)}" aria-labelledby="${schemaId(name)}.title">
<h3 id="${schemaId(name)}.title">${name}</h3>
<p>${prose(schema.description ?? "")}</p>
${schemaFields(name, schema)}
</section>`,
  )}</div>
</section>`;
}

function errorChapter(): Html {
  return html`<section class="chapter" id="errors" aria-labelledby="errors.title">
<h2 id="errors.title">Errors</h2>
<p>All error codes. Each has one status. The <code>detail</code> of a response explains the error.</p>
<div class="entries">${errorCodes.map(errorSection)}</div>
</section>`;
}

function chapterId(name: string): string {
  return name.toLowerCase();
}
