import type { Request, RequestHandler } from "express";
import type { HttpDeps } from "../deps";
import { type Locals, localsOf } from "../locals";

type Needs = Pick<HttpDeps, "logger" | "keyMaker" | "unloggedOperations">;

/**
 * Logs one line per request when its response is sent or its connection closes, without body, query and keys. Successful
 * requests of `unloggedOperations` are not logged.
 */
export function logRequests({ logger, keyMaker, unloggedOperations }: Needs): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("close", () => {
      const locals = localsOf(response);
      const { requestId, traceId, parentId, operationName: operation = "" } = locals;
      const isCut = !response.writableFinished;
      if (response.statusCode < 400 && !isCut && unloggedOperations.has(operation)) return;
      logger.info(
        {
          request_id: requestId,
          ...(traceId && { trace_id: traceId, parent_id: parentId }),
          method: request.method,
          path: keyMaker.mask(request.path),
          operation: operation || undefined,
          status: response.statusCode,
          duration_ms: Math.round((performance.now() - startedAt) * 10) / 10,
          ...describeCaller(request, locals),
          ...(isCut && { is_cut: true }),
        },
        "request",
      );
    });
    next();
  };
}

/** Who called, and why the request was rejected. */
function describeCaller(request: Request, { caller, code }: Locals) {
  return {
    ...(code && { code }),
    ...(caller && { caller: caller.kind }),
    ...(caller?.kind === "sub" && { key_id: caller.id, key_label: caller.label }),
    address: request.ip,
  };
}
