import type { RequestHandler } from "express";

const sane = /^[A-Za-z0-9._:@+=/-]{1,128}$/;

// Version, trace, parent, flags; later versions may append more. A trace or parent of zeros alone is none.
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(?:$|-)/;

/** Gives every answer the id of its request: the caller's own, if it sent a sane one. A trace is noted for the log. */
export function nameRequest(makeId: () => string): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers["x-request-id"];
    const requestId = typeof sent === "string" && sane.test(sent) ? sent : makeId();
    response.locals.requestId = requestId;
    response.setHeader("X-Request-Id", requestId);
    const [, traceId, parentId] = traceparent.exec(String(request.headers.traceparent ?? "")) ?? [];
    Object.assign(response.locals, traceId !== undefined && { traceId, parentId });
    next();
  };
}
