import type { Response } from "express";
import { localsOf } from "../locals";

/**
 * Sends JSON as `response.json` does, but never as 304: Express would respond to `If-None-Match: *` with 304 although
 * no response has an ETag. Of what was reserved for the response, it keeps what the response has.
 */
export function sendJson(this: Response, body: unknown): Response {
  const content = Buffer.from(JSON.stringify(body));
  this.setHeader("Content-Type", "application/json; charset=utf-8");
  this.setHeader("Content-Length", content.length);
  localsOf(this).reserved?.resize(content.length);
  this.end(content);
  return this;
}
