import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "@madang/contract";
import { type Response, Router } from "express";
import { packageFolder } from "../../package-folder";
import { renderPages } from "./page";

/** Rendered once for all servers of a process, by whether they have the console. */
const rendered = new Map<boolean, ReturnType<typeof renderPages>>();

/** The pages of the reference with their stylesheet and script, and the OpenAPI document. */
export function docsRouter({ hasConsole = false } = {}): Router {
  const router = Router({ strict: true });
  const serve = (path: string, type: string, text: string) =>
    router.get(path, (_request, response) => send(response, type, text));
  const document = openApiDocument();
  const pages = rendered.get(hasConsole) ?? renderPages(document, hasConsole);
  rendered.set(hasConsole, pages);
  for (const [path, { type, text }] of pages) serve(path, type, text);
  serve("/docs/reference.css", "css", readAsset("reference.css"));
  serve("/docs/reference.js", "js", readAsset("reference.js"));
  router.get("/docs/", (_request, response) => response.redirect(308, "../docs"));
  const openApiText = JSON.stringify(document);
  router.get("/openapi.json", (_request, response) => {
    // Tools on pages of other origins may read the document: it is public.
    response.set("Access-Control-Allow-Origin", "*");
    send(response, "json", openApiText);
  });
  return router;
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The type is a file extension. */
function send(response: Response, type: string, text: string): void {
  if (type === "html") response.set({ "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer" });
  response.set({ "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache" });
  response.type(type).send(text);
}

const readAsset = (name: string) => readFileSync(join(packageFolder, "public/docs", name), "utf8");
