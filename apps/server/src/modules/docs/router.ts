import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "@madang/contract";
import { type RequestHandler, type Response, Router } from "express";
import { packageFolder } from "../../package-folder";
import { renderIndex, renderPages } from "./page";

const document = openApiDocument();
const openApiText = JSON.stringify(document);

/** The OpenAPI document of the contract. */
export const openapi: RequestHandler = (_request, response) => {
  // Tools on pages of other origins may read the document: it is public.
  response.set("Access-Control-Allow-Origin", "*");
  send(response, "application/json; charset=utf-8", openApiText);
};

/** The pages of the reference with their stylesheet and script, and the OpenAPI document. */
export function docsRouter({ hasConsole = false } = {}): Router {
  const { start, resources, pages, markdown, llms, texts } = renderPages(document);
  const style = readAsset("reference.css");
  const script = readAsset("reference.js");
  const router = Router({ strict: true });
  const index = renderIndex(document, hasConsole);
  router.get("/", (_request, response) => sendPage(response, index));
  router.get("/docs", (_request, response) => sendPage(response, start));
  router.get("/docs/", (_request, response) => response.redirect(308, "../docs"));
  router.get("/docs/reference.css", (_request, response) => send(response, "text/css; charset=utf-8", style));
  router.get("/docs/reference.js", (_request, response) =>
    send(response, "text/javascript; charset=utf-8", script),
  );
  for (const [id, page] of resources)
    router.get(`/docs/${id}`, (_request, response) => sendPage(response, page));
  for (const [id, page] of pages) router.get(`/docs/${id}`, (_request, response) => sendPage(response, page));
  for (const [id, text] of markdown)
    router.get(`/docs/${id}.md`, (_request, response) =>
      send(response, "text/markdown; charset=utf-8", text),
    );
  router.get("/llms.txt", (_request, response) => send(response, "text/plain; charset=utf-8", llms));
  router.get("/docs/texts.json", (_request, response) =>
    send(response, "application/json; charset=utf-8", texts),
  );
  router.get("/openapi.json", openapi);
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

function sendPage(response: Response, page: string): void {
  response.set("Content-Security-Policy", policy);
  response.set("Referrer-Policy", "no-referrer");
  send(response, "text/html; charset=utf-8", page);
}

function send(response: Response, type: string, text: string): void {
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Cache-Control", "no-cache");
  response.type(type).send(text);
}

const readAsset = (name: string) => readFileSync(join(packageFolder, "public/docs", name), "utf8");
