import type { RequestHandler } from "express";
import { localsOf } from "./caller";
import type { HttpDeps } from "./deps";

/** Logs one line per request when its response is sent or its connection closes, without body, query and keys. */
export function logRequests({ logger, keyMaker }: Pick<HttpDeps, "logger" | "keyMaker">): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const { requestId, traceId, parentId, caller, operation } = localsOf(response);
      logger.info(
        {
          request_id: requestId,
          ...(traceId && { trace_id: traceId, parent_id: parentId }),
          method: request.method,
          path: keyMaker.mask(request.path),
          operation,
          status: response.statusCode,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          ...(caller && { caller: caller.kind === "sub" ? `sub ${caller.id}` : caller.kind }),
          ...(!response.writableFinished && { is_cut: true }),
        },
        "request",
      );
    });
    next();
  };
}
