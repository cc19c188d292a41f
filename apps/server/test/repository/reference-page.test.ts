import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import { errorCodes, eventStreamOperation, openApiDocument, operations } from "@madang/contract";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bind } from "../../src/http/listen/bind";
import { docsRouter } from "../../src/modules/docs/router";
import { createResources } from "../../src/turns/resources";

const { responses } = createResources(10);

// As long as `fetch` may keep a connection: one that the server closes fails the next request on a busy machine.
const server = createServer(
  { keepAliveTimeout: 60_000 },
  express().use(docsRouter({ responses, hasConsole: false })),
);
let baseUrl = "";
/** The start page, and the page of each resource by its path. */
let start = "";
let pages: ReadonlyMap<string, string>;
/** The guides, and all pages that these link to. */
let guides: ReadonlyMap<string, string>;

beforeAll(async () => {
  baseUrl = await bind(server, { PORT: 0, HOST: "127.0.0.1" });
  start = await read("/docs");
  const readAll = async (links: RegExp) =>
    new Map(
      await Promise.all(
        [...new Set(matches(start, links))].map(
          async (path) => [`/${path}`, await read(`/${path}`)] as const,
        ),
      ),
    );
  pages = await readAll(/href="\.\/(docs\/[\w-]+)"/g);
  const found = new Map<string, string>(await readAll(/href="\.\/(docs\/guides\/[\w-]+)"/g));
  // The list grows while it is read.
  for (const [path, page] of found)
    for (const href of matches(page, /<a [^>]*href="([^"]+)"/g)) {
      const { pathname } = new URL(href, `${baseUrl}${path}`);
      if (!/^\/docs\/(guides|pages)\//.test(pathname) || found.has(pathname)) continue;
      found.set(pathname, await read(pathname));
    }
  guides = found;
});
afterAll(() => server.close());

const all = [...operations, eventStreamOperation];

test("the operations are on one page for each resource", () => {
  expect([...pages.keys()]).toEqual(
    openApiDocument().tags.map(({ name }) => `/docs/${name.toLowerCase().replaceAll(" ", "-")}`),
  );
  for (const { id } of all)
    expect([...pages.values()].filter((page) => page.includes(`class="operation" id="${id}"`))).toHaveLength(
      1,
    );
});

test.each(all)("$id has its section, its form, a call of each kind and a response", (operation) => {
  const { id, examples } = operation;
  const section = sectionOf(id);
  const text = section.replaceAll(/<[^>]*>/g, "");
  for (const part of ["curl ", "chat.", "await fetch("]) expect(text).toContain(part);
  // What the form receives must end.
  expect(section.includes("<form ")).toBe(id !== "events.stream");
  for (const { summary } of Object.values(examples.responses ?? {}))
    expect(section).toContain(`, response: ${summary.replaceAll("`", "`")}`);
});

test.each([
  ["users.create", ["profile_url", "updated_at"]],
  ["messages.send", ["content", "file"]],
  ["events.list", ["read_message_id", "webhook_id"]],
  ["users.channels", ["unread_count", "last_message", "content"]],
] as const)("%s shows the fields of its bodies in place, with those of the objects in them", (id, names) => {
  const section = sectionOf(id);
  for (const name of names) expect(section).toContain(`<dt><code>${name}</code>`);
});

test("nothing refers to a schema or to the interface document", () => {
  for (const page of [start, ...pages.values()]) {
    expect(page).not.toContain("schema-");
    expect(page).not.toMatch(/extension/i);
  }
});

test("a rule that holds everywhere is stated once", () => {
  for (const rule of ["Makes the request safe to repeat", "Not safe to repeat", "The id of the request"])
    for (const page of [start, ...pages.values()])
      expect(page.split(rule).length - 1, rule).toBeLessThanOrEqual(1);
});

test("every limit of the contract is beside its field", () => {
  const section = sectionOf("channels.create");
  const name = section.split("<dt><code>name</code>")[1]?.split("</dd>")[0];
  expect(name).toContain('<p class="rules">1 to 150 characters</p>');
  expect(sectionOf("events.list")).toContain('<p class="rules">0 to 25; <code>0</code> by default</p>');
});

test.each(errorCodes)("the type of %s links to a section", (code) => {
  expect(start).toContain(`<section class="error" id="${code}"`);
});

test("every link has a target, and every id is unique on its page", () => {
  const byPath = new Map([["/docs", start], ...pages, ...guides]);
  for (const [path, page] of byPath) {
    const ids = matches(page, / id="([^"]+)"/g);
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      path,
    ).toEqual([]);
    for (const href of matches(page, /<a [^>]*href="([^"]+)"/g)) {
      const { pathname, hash } = new URL(href, `${baseUrl}${path}`);
      if (pathname === "/openapi.json" || href.startsWith("http")) continue;
      const target = byPath.get(pathname);
      expect(target, `${path} links to ${href}`).toBeDefined();
      if (hash !== "") expect(target, `${path} links to ${href}`).toContain(` id="${hash.slice(1)}"`);
    }
  }
});

test("a link between pages of the repository leads to a page here", () => {
  expect(guides.get("/docs/guides/distributing")).toContain('href="../pages/backup');
  for (const path of ["/docs/pages/backup", "/docs/pages/settings", "/docs/pages/packages-client-readme"])
    expect([path, guides.get(path)?.includes("<article")]).toEqual([path, true]);
});

test("llms.txt lists the guides, each as Markdown whose links lead to Markdown", async () => {
  const list = await read("/llms.txt");
  const listed = matches(list, /\]\((docs\/[^)]+\.md)\)/g);
  expect(listed).toContain("docs/guides/webhooks.md");
  for (const path of listed) {
    const response = await fetch(`${baseUrl}/${path}`);
    expect([path, response.headers.get("content-type")]).toEqual([path, "text/markdown; charset=utf-8"]);
    const text = await response.text();
    expect(text).toMatch(/^# /m);
    for (const href of matches(text, /\]\(([^)#\s]+)(?:#[^)]*)?\)/g))
      if (!href.startsWith("http")) {
        const { pathname } = new URL(href, `${baseUrl}/${path}`);
        expect(listed, `${path} links to ${href}`).toContain(pathname.slice(1));
      }
  }
});

test("the search covers the texts of all pages, and finds them where they are", async () => {
  const texts: { href: string; title: string; text: string }[] = JSON.parse(await read("/docs/texts.json"));
  const find = (words: string) => texts.filter(({ text }) => text.includes(words)).map(({ href }) => href);
  expect(find("pg_dump").some((href) => href.startsWith("pages/backup"))).toBe(true);
  expect(texts.some(({ href }) => href === "messages#messages.update")).toBe(true);
  const all = new Map([...pages, ...guides]);
  for (const { href } of texts) {
    const [path = "", anchor] = href.split("#");
    expect(all.get(`/docs/${path}`), href).toContain(` id="${anchor}"`);
  }
});

test.each([
  ["/docs", "./"],
  ["/docs/users", "../"],
  ["/docs/guides/webhooks", "../../"],
])("%s loads nothing from other origins, and its policy allows nothing inline", async (path, root) => {
  const response = await fetch(`${baseUrl}${path}`);
  const page = await response.text();
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(policy).not.toContain("http");
  expect(matches(page, /<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)).toEqual([
    "data:,",
    `${root}docs/reference.css`,
    `${root}docs/reference.js`,
  ]);
  expect(page).not.toMatch(/<style| style=| on[a-z]+=/);
});

test.each([
  ["/docs/reference.css", "text/css; charset=utf-8"],
  ["/docs/reference.js", "text/javascript; charset=utf-8"],
  ["/openapi.json", "application/json; charset=utf-8"],
])("%s is served as %s", async (path, type) => {
  const response = await fetch(`${baseUrl}${path}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe(type);
});

test("the page at / links to the reference, and to the console where there is one", async () => {
  expect(matches(await read("/"), /<a href="([^"]+)"/g)).toEqual(["./docs", "./openapi.json"]);
  const other = createServer(express().use(docsRouter({ responses, hasConsole: true })));
  const page = await fetch(await bind(other, { PORT: 0, HOST: "127.0.0.1" }));
  expect(matches(await page.text(), /<a href="([^"]+)"/g)).toContain("./console");
  other.close();
});

test("a trailing slash redirects to the page, whose relative URLs require none", async () => {
  const response = await fetch(`${baseUrl}/docs/`);
  expect(response.url).toBe(`${baseUrl}/docs`);
});

function matches(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map((match) => match[1] ?? "");
}

async function read(path: string): Promise<string> {
  return (await fetch(`${baseUrl}${path}`)).text();
}

/** The section of an operation, with the sections in it. */
function sectionOf(id: string): string {
  const page = [...pages.values()].find((page) => page.includes(`class="operation" id="${id}"`)) ?? "";
  return page.split(`<section class="operation" id="${id}"`)[1]?.split("</section>")[0] ?? "";
}

test("every guide has a page, and the start page links to it", () => {
  expect([...guides.keys()].filter((path) => path.startsWith("/docs/guides/")).sort()).toEqual(
    readdirSync(new URL("../../../../docs/guides", import.meta.url)).map(
      (name) => `/docs/guides/${name.replace(".md", "")}`,
    ),
  );
});
