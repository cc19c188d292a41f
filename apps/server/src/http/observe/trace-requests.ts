import type { RequestHandler } from "express";
import { type Locals, localsOf } from "../locals";
import { methodOf } from "./measure-requests";

/** Records requests as spans of traces. */
export interface RequestTracer {
  /** Starts the span of a request, as a child of the span that its caller named. */
  startRequest(method: string, caller: Pick<Locals, "traceId" | "parentId" | "traceFlags">): RequestSpan;
}

export interface RequestSpan {
  readonly traceId: string;
  /** The statements of the work become spans below this one. */
  run(work: () => void): void;
  end(outcome: RequestOutcome): void;
}

/** What a span shows of a request: no path, no query and no body. */
export interface RequestOutcome {
  /** The path with the names of its parameters, unless it is unknown. */
  readonly route: string | undefined;
  readonly operation: string | undefined;
  readonly requestId: string;
  readonly status: number;
  readonly code: string | undefined;
  /** Whether the connection closed before the whole response was sent. */
  readonly isCut: boolean;
}

/** Records a span for each request. Its trace has the `trace_id` of the log line. */
export function traceRequests(tracer: RequestTracer | undefined): RequestHandler {
  if (tracer === undefined) return (_request, _response, next) => next();
  return (request, response, next) => {
    const locals = localsOf(response);
    const method = methodOf(request, "_OTHER");
    const span = tracer.startRequest(method, locals);
    locals.traceId = span.traceId;
    response.once("close", () => {
      const { operationName: operation, requestId, code } = locals;
      const route: unknown = request.route?.path;
      span.end({
        route: typeof route === "string" ? route : undefined,
        operation,
        requestId,
        status: response.statusCode,
        code,
        isCut: !response.writableFinished,
      });
    });
    span.run(next);
  };
}
