import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { openApiDocument } from "@madang/contract";
import { type Response, Router } from "express";
import { reserveResponse } from "../../http/response/reserve-response";
import { packageFolder } from "../../package-folder";
import type { Resource } from "../../turns/resource";
import { renderPages } from "./page";

interface Options {
  /** Counts the bytes that clients have not read. */
  readonly responses: Resource;
  readonly hasConsole: boolean;
}

/** Rendered and compressed once for all servers of a process, by whether they have the console. */
const rendered = new Map<boolean, ReadonlyMap<string, Page>>();

/** The pages of the reference with their stylesheet and script, and the OpenAPI document. */
export function docsRouter({ hasConsole, responses }: Options): Router {
  const router = Router({ strict: true });
  const pages = rendered.get(hasConsole) ?? compressPages(hasConsole);
  rendered.set(hasConsole, pages);
  for (const [path, page] of pages) router.get(path, (_request, response) => send(response, page, responses));
  router.get("/docs/", (_request, response) => response.redirect(308, "../docs"));
  return router;
}

function compressPages(hasConsole: boolean): ReadonlyMap<string, Page> {
  const document = openApiDocument();
  const texts = new Map<string, Text>(renderPages(document, hasConsole))
    .set("/docs/reference.css", { type: "css", text: readAsset("reference.css") })
    .set("/docs/reference.js", { type: "js", text: readAsset("reference.js") })
    .set("/openapi.json", { type: "json", text: JSON.stringify(document) });
  const compress = ({ type, text }: Text) => ({ type, plain: Buffer.from(text), gzipped: gzipSync(text) });
  return new Map([...texts].map(([path, page]) => [path, compress(page)]));
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

interface Text {
  /** A file extension. */
  readonly type: string;
  readonly text: string;
}

/** Its bytes are there once, however many clients read them. */
interface Page extends Pick<Text, "type"> {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

/** Nobody needs a key to read a page. So the readers of one network address share what is read at once. */
async function send(response: Response, { type, plain, gzipped }: Page, responses: Resource): Promise<void> {
  const { req: request } = response;
  if (type === "html") response.set({ "Content-Security-Policy": policy, "Referrer-Policy": "no-referrer" });
  // Tools on pages of other origins may read the document: it is public.
  if (type === "json") response.set("Access-Control-Allow-Origin", "*");
  response.set({ "X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache", Vary: "Accept-Encoding" });
  const isGzipped = request.acceptsEncodings("gzip") !== false;
  if (isGzipped) response.set("Content-Encoding", "gzip");
  const bytes = isGzipped ? gzipped : plain;
  await reserveResponse(response, responses, bytes.length);
  response.type(type).set("Content-Length", String(bytes.length)).end(bytes);
}

const readAsset = (name: string) => readFileSync(join(packageFolder, "public/docs", name), "utf8");
