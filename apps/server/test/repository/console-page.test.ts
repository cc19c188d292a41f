import { afterAll, expect, test } from "vitest";
import { startServer } from "../support/server";

const server = await startServer();
afterAll(() => server.close());

const page = (path = "/console", init?: RequestInit) => fetch(server.url + path, init);

test.each(["/console", "/console/", "/console/channels/lunch_01?message=1"])(
  "is served at %s",
  async (path) => {
    const response = await page(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await response.text()).toMatch(/<script [^>]*src="\/console\/assets\//);
    expect((await page(path, { method: "HEAD" })).status).toBe(200);
  },
);

test("runs only what this server sent, and cannot be framed", async () => {
  const { headers } = await page();
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-security-policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
  });
  // Files of packages have one fixed time, so that a new page could look like the old one.
  expect([headers.get("etag"), headers.get("last-modified")]).toEqual([null, null]);
});

test("has files that are cached for a year, because their names change with them", async () => {
  const html = await (await page()).text();
  const files = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, file = ""]) => file);
  expect(files.length).toBeGreaterThan(1);
  for (const file of files) {
    const response = await page(file);
    expect(response.status).toBe(200);
    expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("content-type")).toMatch(
      /^(text\/(javascript|css); charset=utf-8|image\/svg\+xml)$/,
    );
  }
});

test.each([
  ["GET", "/console/assets/missing.js"],
  ["GET", "/console/assets/"],
  ["GET", "/console/assets/..%2findex.html"],
  ["GET", "/console/assets/%2e%2e/%2e%2e/main.js"],
  ["POST", "/console"],
  ["PUT", "/console/session"],
  ["GET", "/consoles"],
  ["GET", "/Console"],
])("%s %s is no route", async (method, path) => {
  const response = await page(path, { method });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "route_not_found" });
});
