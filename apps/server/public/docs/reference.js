// The page is readable without this script, which adds copy buttons, the server's URL in the samples and "Try it".
const base = new URL(".", location.href);

/** The key is stored only in its input and sent only to this server. */
const keyInput = requireElement("key", HTMLInputElement);

showKeyInput();
closeContentsOnPhone();
for (const code of document.querySelectorAll(".sample code")) insertServerUrl(code);
for (const sample of document.querySelectorAll(".sample")) addCopyButton(sample);
for (const form of document.querySelectorAll("form")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void tryCall(form);
  });
}

function showKeyInput() {
  keyInput.closest(".key")?.removeAttribute("hidden");
}

function closeContentsOnPhone() {
  if (matchMedia("(min-width: 60rem)").matches) return;
  document.querySelector("nav details")?.removeAttribute("open");
}

/** @param {Element} code */
function insertServerUrl(code) {
  const url = base.href.replace(/\/$/, "");
  code.textContent = (code.textContent ?? "").replaceAll("http://127.0.0.1:3000", url);
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
  sample.append(button);
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
  if (typeof code !== "string" || document.getElementById(code) === null) return undefined;
  const link = document.createElement("a");
  link.href = `#${code}`;
  link.textContent = `What ${code} means`;
  const paragraph = document.createElement("p");
  paragraph.append(link);
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
