import type { RequestHandler } from "express";

/** Calls `onChange` after every response that reports a change. */
export function reportChanges(onChange: () => void): RequestHandler {
  return (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD")
      response.once("finish", () => response.statusCode < 400 && onChange());
    next();
  };
}
