import type { Response } from "express";
import type { UnreadResponses } from "./unread-responses";

/**
 * Sends JSON as `response.json` does, but never as 304: Express would respond to `If-None-Match: *` with 304 although
 * no response has an ETag.
 */
export const sendJson = (unread: UnreadResponses) =>
  function (this: Response, body: unknown): Response {
    const content = Buffer.from(JSON.stringify(body));
    this.setHeader("Content-Type", "application/json; charset=utf-8");
    this.setHeader("Content-Length", content.length);
    unread.add(this, content.length);
    this.end(content);
    return this;
  };
