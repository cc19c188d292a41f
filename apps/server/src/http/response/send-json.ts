import type { Response } from "express";

/**
 * Sends JSON as `response.json` does, but never as 304: Express would respond to `If-None-Match: *` with 304 although
 * no response has an ETag.
 */
export function sendJson(this: Response, body: unknown): Response {
  const content = Buffer.from(JSON.stringify(body));
  this.setHeader("Content-Type", "application/json; charset=utf-8");
  this.setHeader("Content-Length", content.length);
  this.end(content);
  return this;
}
