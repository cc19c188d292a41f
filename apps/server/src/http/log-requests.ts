import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { localsOf } from "./caller";

/** A key that somebody put into a path, where it does not belong. */
const strayKey = /\b([sm]k)_[\w-]{20,}/g;

/** One line a request, when its answer is out or its connection gone: never a body, a query or a key. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const { requestId, traceId, parentId, caller, operation } = localsOf(response);
      logger.info(
        {
          request_id: requestId,
          ...(traceId && { trace_id: traceId, parent_id: parentId }),
          method: request.method,
          path: request.path.replaceAll(strayKey, "$1_…"),
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
