// The page is readable without this script, which adds copy buttons, the server's URL in the samples and "Try it".
const base = new URL(document.documentElement.dataset.root ?? ".", location.href);

/** The key is stored only in its input and sent only to this server. */
const keyInput = requireElement("key", HTMLInputElement);

const isWide = matchMedia("(min-width: 60rem)").matches;
const links = [...document.querySelectorAll("nav a")].filter((link) => link instanceof HTMLAnchorElement);
const search = requireElement("search", HTMLInputElement);

for (const element of document.querySelectorAll("[data-script]")) element.removeAttribute("hidden");
if (!isWide) document.querySelector("nav details")?.removeAttribute("open");
insertServerUrl();
markCurrentSection();
search.addEventListener("input", () => {
  find(search.value);
  void findTexts(search.value);
});
search.addEventListener("keydown", (event) => {
  if (event.key === "Enter") openFirstFound();
  if (event.key === "Escape") clearSearch();
});
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof Element && event.target.matches("input, textarea");
  if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  document.querySelector("nav details")?.setAttribute("open", "");
  search.focus();
});
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (link?.hash === "#key") focusKey(event);
  else if (!isWide && link?.closest("nav")) document.querySelector("nav details")?.removeAttribute("open");
});
for (const sample of document.querySelectorAll(".sample")) addCopyButton(sample);
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void tryCall(form);
  });
}

/** @param {Event} event */
function focusKey(event) {
  event.preventDefault();
  keyInput.scrollIntoView({ block: "center" });
  keyInput.focus();
}

/** Replaces text nodes, so that the colours of the samples stay. */
function insertServerUrl() {
  const url = base.href.replace(/\/$/, "");
  for (const code of document.querySelectorAll(".sample code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      text.textContent = text.textContent?.replaceAll("http://127.0.0.1:3000", url) ?? "";
  }
}

/** Marks the section at the top of the screen in the contents. */
function markCurrentSection() {
  const own = links.filter((link) => link.pathname === location.pathname && link.closest(".others") === null);
  const linkOf = new Map(own.map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const sections = [...linkOf.keys()].flatMap((id) => document.getElementById(id) ?? []);
  const nav = document.querySelector("nav");
  /** @type {Element | undefined} */
  let current;
  const mark = () => {
    // The last section that begins above this line; sections contain each other, and the inner one comes later.
    const above = sections.filter((section) => section.getBoundingClientRect().top < 120);
    const link = linkOf.get(above.at(-1)?.id ?? "");
    if (link === current) return;
    if (current?.getAttribute("aria-current") === "location") current.removeAttribute("aria-current");
    if (link?.hasAttribute("aria-current") === false) link.setAttribute("aria-current", "location");
    current = link;
    if (nav === null || !(link instanceof HTMLElement) || !isWide) return;
    const top = link.getBoundingClientRect().top - nav.getBoundingClientRect().top;
    if (top < 40 || top > nav.clientHeight - 60) nav.scrollTop += top - nav.clientHeight / 2;
  };
  sections.sort((one, other) =>
    one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  let isWaiting = false;
  addEventListener(
    "scroll",
    () => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        mark();
      });
    },
    { passive: true },
  );
  mark();
}

/**
 * Shows the links that contain every word. What is on other pages is listed only during a search.
 * @param {string} text
 */
function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const group of document.querySelectorAll("nav section")) {
    let found = 0;
    for (const item of group.querySelectorAll("li")) {
      const content = `${item.textContent} ${item.dataset.words ?? ""}`.toLowerCase();
      const isFound = words.every((word) => content.includes(word));
      item.hidden = !isFound;
      if (isFound) found++;
    }
    group.toggleAttribute("hidden", words.length > 0 && found === 0);
    for (const others of group.querySelectorAll(".others"))
      others.toggleAttribute("hidden", words.length === 0);
    count += found;
  }
  const report = words.length === 0 ? "" : count === 1 ? "1 result" : `${count} results`;
  requireElement("found", HTMLElement).textContent = report;
}

/** @type {Promise<{ href: string, title: string, text: string }[]> | undefined} */
let texts;
const maxTexts = 20;

/**
 * Lists the sections of all pages whose texts contain every word, those with the words in their titles first.
 * @param {string} text
 */
async function findTexts(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  // Loaded by the first search.
  texts ??= fetch(new URL("docs/texts.json", base)).then((response) => response.json());
  const all = await texts.catch(() => []);
  if (text !== search.value) return;
  const has = (/** @type {string} */ content) => words.every((word) => content.toLowerCase().includes(word));
  const found = words.length === 0 ? [] : all.filter((each) => has(`${each.title} ${each.text}`));
  found.sort((one, other) => Number(has(other.title)) - Number(has(one.title)));
  const list = requireElement("texts", HTMLUListElement);
  list.hidden = found.length === 0;
  list.replaceChildren(
    ...found.slice(0, maxTexts).map(({ href, title }) => {
      const link = document.createElement("a");
      link.href = new URL(`docs/${href}`, base).href;
      link.textContent = title;
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
}

function openFirstFound() {
  const first =
    document.querySelector("nav section:not([hidden]) li:not([hidden]) a") ??
    document.querySelector("#texts a");
  if (search.value.trim() !== "" && first instanceof HTMLElement) first.click();
}

function clearSearch() {
  search.value = "";
  find("");
  void findTexts("");
}

/** @param {Element} sample */
function addCopyButton(sample) {
  const pre = sample.querySelector("pre");
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${pre?.getAttribute("aria-label")}`);
  button.addEventListener("click", async () => {
    await copy(pre?.textContent ?? "");
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 2_000);
  });
  sample.prepend(button);
}

/**
 * Browsers provide `navigator.clipboard` only over HTTPS and on localhost. Elsewhere, the deprecated way still works.
 * @param {string} text
 */
async function copy(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/** @param {HTMLFormElement} form */
async function tryCall(form) {
  const output = form.querySelector(".response");
  const button = form.querySelector("button");
  if (output === null || button === null) return;
  button.disabled = true;
  try {
    output.replaceChildren(...(await call(form)));
  } catch (error) {
    output.replaceChildren(paragraph(error instanceof Error ? error.message : String(error)));
  } finally {
    button.disabled = false;
    button.focus();
  }
}

/** @param {HTMLFormElement} form */
async function call(form) {
  const headers = new Headers();
  if (keyInput.value !== "") headers.set("Authorization", `Bearer ${keyInput.value}`);
  for (const { name, value } of inputsIn(form, "header")) if (value !== "") headers.set(name, value);
  const body = form.querySelector("textarea")?.value.trim() ?? "";
  if (body !== "") headers.set("Content-Type", "application/json");
  const started = performance.now();
  const response = await send(urlOf(form), {
    method: form.dataset.method ?? "GET",
    headers,
    ...(body === "" ? {} : { body }),
    credentials: "omit",
    cache: "no-store",
  });
  const text = await response.text();
  return describe(response, text, Math.round(performance.now() - started));
}

/**
 * @param {URL} url
 * @param {RequestInit} request
 */
async function send(url, request) {
  try {
    return await fetch(url, request);
  } catch {
    throw new Error("The server did not respond. It may be stopped or unreachable.");
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {"path" | "query" | "header"} location
 */
function inputsIn(form, location) {
  return [...form.querySelectorAll("input")].filter((input) => input.dataset.in === location);
}

/** @param {HTMLFormElement} form */
function urlOf(form) {
  let path = form.dataset.path ?? "";
  const query = new URLSearchParams();
  for (const { name, value } of inputsIn(form, "path")) {
    // A browser would drop these segments and call another path.
    if (value === "." || value === "..") throw new Error(`${name} must be an id.`);
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  }
  for (const { name, value } of inputsIn(form, "query")) if (value !== "") query.set(name, value);
  const url = new URL(`.${path}`, base);
  url.search = query.toString();
  return url;
}

/**
 * @param {Response} response
 * @param {string} text
 * @param {number} durationMs
 */
function describe(response, text, durationMs) {
  const status = paragraph(`${response.status} ${response.statusText}, ${durationMs} ms`);
  const headers = collapsed(
    "Headers",
    [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
  );
  const body = text === "" ? paragraph("No body.") : block(format(text), "Body");
  const help = errorLink(text);
  return help === undefined ? [status, body, headers] : [status, help, body, headers];
}

/** @param {string} text */
function errorLink(text) {
  const code = parse(text)?.code;
  const explanation = links.find(({ hash }) => hash === `#${code}`);
  if (explanation === undefined) return undefined;
  const link = document.createElement("a");
  link.href = explanation.href;
  link.textContent = `What ${code} means`;
  const paragraph = document.createElement("p");
  paragraph.append(link);
  if (code === "unauthenticated") {
    const toKey = document.createElement("a");
    toKey.href = "#key";
    toKey.textContent = "Enter an API key";
    paragraph.append(" · ", toKey);
  }
  return paragraph;
}

/** @param {string} text */
function format(text) {
  const value = parse(text);
  return value === undefined ? text : JSON.stringify(value, undefined, 2);
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} text */
function paragraph(text) {
  const element = document.createElement("p");
  element.textContent = text;
  return element;
}

/**
 * @param {string} text
 * @param {string} label
 */
function block(text, label) {
  const element = document.createElement("pre");
  element.tabIndex = 0;
  element.setAttribute("role", "region");
  element.setAttribute("aria-label", label);
  element.textContent = text;
  return element;
}

/**
 * @param {string} title
 * @param {string} text
 */
function collapsed(title, text) {
  const details = document.createElement("details");
  const summary = document.createElement("summary");
  summary.textContent = title;
  details.append(summary, block(text, title));
  return details;
}

/**
 * @template {Element} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function requireElement(id, kind) {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`The page has no element ${id}.`);
}
