import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { errorCodes, eventStreamOperation, operations } from "@madang/contract";
import express from "express";
import { afterAll, beforeAll, expect, test } from "vitest";
import { docsRouter } from "./router";

const server = createServer(express().use(docsRouter()));
let baseUrl = "";
let page = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  page = await (await fetch(`${baseUrl}/docs`)).text();
});
afterAll(() => server.close());

const all = [...operations, eventStreamOperation];

test.each(all)("$id has its section, its form, a call of each kind and a response", (operation) => {
  const { id, examples } = operation;
  const section = page.split(`<section class="operation" id="${id}"`)[1]?.split("</section>")[0] ?? "";
  const text = section.replaceAll(/<[^>]*>/g, "");
  for (const part of ["curl ", "chat.", "await fetch("]) expect(text).toContain(part);
  // What the form receives must end.
  expect(section.includes("<form ")).toBe(id !== "events.stream");
  for (const { summary } of Object.values(examples.responses ?? {}))
    expect(section).toContain(`, response: ${summary.replaceAll("`", "`")}`);
});

test("every extension is marked, in its place and in the contents", () => {
  const contents = page.split("</nav>")[0] ?? "";
  for (const { id, extension } of all) {
    const section = page.split(`<section class="operation" id="${id}"`)[1]?.split("</section>")[0] ?? "";
    expect(section.includes(">Extension</a>"), id).toBe(extension);
    const link = contents.split(`<a href="#${id}">`)[1]?.split("</a>")[0] ?? "";
    expect(link.includes("<small>Extension</small>"), id).toBe(extension);
  }
});

test("a rule that holds everywhere is stated once", () => {
  for (const rule of ["Makes the request safe to repeat", "Not safe to repeat", "The id of the request"])
    expect(page.split(rule).length - 1, rule).toBeLessThanOrEqual(1);
});

test("the limits of a field are stated once, beside it or in its description", () => {
  const rules = matches(/<p class="rules">(.*?)<\/p>/g);
  expect(rules.length).toBeGreaterThan(5);
  const name = page.split("A name of 1 to 80 characters (Unicode code points).</p>");
  expect(name.length).toBeGreaterThan(1);
  for (const after of name.slice(1)) expect(after).not.toMatch(/^<p class="rules">/);
  expect(page).toContain('so many seconds: 0 to 25.</p><p class="rules"><code>0</code> by default</p>');
});

test.each(errorCodes)("the type of %s links to a section", (code) => {
  expect(page).toContain(`<section class="error" id="${code}"`);
});

test("every link within the page has a target, and every id is unique", () => {
  const ids = matches(/ id="([^"]+)"/g);
  expect(new Set(ids).size).toBe(ids.length);
  const missing = matches(/ href="#([^"]+)"/g).filter((target) => !ids.includes(target));
  expect(missing).toEqual([]);
});

test("the page loads nothing from other origins, and its policy allows nothing inline", async () => {
  const response = await fetch(`${baseUrl}/docs`);
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(policy).not.toContain("http");
  expect(matches(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)).toEqual([
    "data:,",
    "docs/reference.css",
    "docs/reference.js",
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

test("a trailing slash redirects to the page, whose relative URLs require none", async () => {
  const response = await fetch(`${baseUrl}/docs/`);
  expect(response.url).toBe(`${baseUrl}/docs`);
});

function matches(pattern: RegExp): string[] {
  return [...page.matchAll(pattern)].map((match) => match[1] ?? "");
}
