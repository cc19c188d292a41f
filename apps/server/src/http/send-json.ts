import type { Response } from "express";

/**
 * Sends JSON as `response.json` does, without what Express does for every other kind of response: it reads the content
 * type back and takes it apart, looks for an ETag and asks whether the caller's copy is fresh.
 */
export function sendJson(this: Response, body: unknown): Response {
  const text = JSON.stringify(body);
  // A short text goes out together with the headers; a long one is worth encoding once and not twice.
  const content = text.length < shortLength ? text : Buffer.from(text);
  this.setHeader("Content-Type", "application/json; charset=utf-8");
  this.setHeader("Content-Length", Buffer.byteLength(content));
  this.end(content);
  return this;
}

const shortLength = 1_000;
