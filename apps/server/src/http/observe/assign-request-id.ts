import type { RequestHandler } from "express";
import type { HttpDeps } from "../deps";

const wellFormed = /^[A-Za-z0-9._:@+=/-]{1,128}$/;

// Version, trace id, parent id, flags; later versions may append fields. An id of only zeros is invalid.
const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Assigns an id to each request: the one from the client, if it is well-formed and contains no API key. */
export function assignRequestId({ makeId, keyMaker }: Pick<HttpDeps, "makeId" | "keyMaker">): RequestHandler {
  return (request, response, next) => {
    const sent = request.headers["x-request-id"];
    const isUsable = typeof sent === "string" && wellFormed.test(sent) && keyMaker.mask(sent) === sent;
    const requestId = isUsable ? sent : makeId();
    response.locals.requestId = requestId;
    response.setHeader("X-Request-Id", requestId);
    const [, traceId, parentId, flags] = traceparent.exec(String(request.headers.traceparent ?? "")) ?? [];
    if (traceId !== undefined)
      Object.assign(response.locals, { traceId, parentId, traceFlags: Number(`0x${flags}`) });
    next();
  };
}
