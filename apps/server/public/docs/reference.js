// The page reads and copies without this script; it adds the buttons, the page's own address and "Try it".
const base = new URL(".", location.href);

/** The key lives in its input alone: nothing here stores it or sends it anywhere but to this server. */
const keyInput = requireElement("key", HTMLInputElement);

showKeyInput();
closeContentsOnPhone();
for (const code of document.querySelectorAll(".sample code")) nameThisServer(code);
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
function nameThisServer(code) {
  const address = base.href.replace(/\/$/, "");
  code.textContent = (code.textContent ?? "").replaceAll("http://127.0.0.1:3000", address);
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
 * Browsers give a page on plain HTTP no clipboard, save on the machine itself; the old way still works there.
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
  const place = form.querySelector(".answer");
  const button = form.querySelector("button");
  if (place === null || button === null) return;
  button.disabled = true;
  try {
    place.replaceChildren(...(await call(form)));
  } catch (error) {
    place.replaceChildren(paragraph(error instanceof Error ? error.message : String(error)));
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
  const response = await send(address(form), {
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
    throw new Error("The server did not answer. It may be stopped, or out of reach.");
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {"path" | "query" | "header"} place
 */
function inputsIn(form, place) {
  return [...form.querySelectorAll("input")].filter((input) => input.dataset.in === place);
}

/** @param {HTMLFormElement} form */
function address(form) {
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
  const headers = folded(
    "Headers",
    [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n"),
  );
  const body = text === "" ? paragraph("No body.") : block(readable(text), "Body");
  const help = explanation(text);
  return help === undefined ? [status, body, headers] : [status, help, body, headers];
}

/** @param {string} text */
function explanation(text) {
  const code = parse(text)?.code;
  if (typeof code !== "string" || document.getElementById(code) === null) return undefined;
  const link = document.createElement("a");
  link.href = `#${code}`;
  link.textContent = `What ${code} means`;
  const around = document.createElement("p");
  around.append(link);
  return around;
}

/** @param {string} text */
function readable(text) {
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
function folded(title, text) {
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
  throw new Error(`The page lacks ${id}.`);
}
