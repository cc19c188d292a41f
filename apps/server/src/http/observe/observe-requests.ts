import type { ErrorCode } from "@madang/contract";
import type { Request, RequestHandler } from "express";
import type { Logger } from "pino";
import { contain } from "../../errors/contain";
import type { Caller } from "../auth/caller";
import { type Locals, localsOf } from "../locals";
import { describeCaller } from "./describe-request";

export interface ObserverDeps {
  readonly logger: Logger;
  /** Operations whose successful requests are not logged. */
  readonly unloggedOperations: ReadonlySet<string>;
  /** Records every request. Absent: requests are not measured. */
  readonly metrics: RequestMetrics | undefined;
  /** Records every request in a trace. Absent: requests are not traced. */
  readonly tracer: RequestTracer | undefined;
}

export interface RequestMetrics {
  observeRequest(operation: string, method: string, status: number, durationMs: number): void;
  countCaller(caller: Caller, durationMs: number): void;
  countRejection(code: ErrorCode): void;
}

export interface RequestTracer {
  /** Starts the span of a request, as a child of the span that its caller named. */
  startRequest(method: string, caller: Pick<Locals, "traceId" | "parentId" | "traceFlags">): RequestSpan;
}

interface RequestSpan {
  /** The log line has it as `trace_id`. */
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

/**
 * Logs, measures and traces each request when its response is sent or its connection closes. The log line has no path, because that
 * may contain a reaction or a metadata key.
 */
export function observeRequests(deps: ObserverDeps): RequestHandler {
  const { logger, unloggedOperations, metrics, tracer } = deps;
  const onError = (err: unknown) => logger.error({ err }, "a request could not be observed");
  return (request, response, next) => {
    const startedAt = performance.now();
    const locals = localsOf(response);
    // After the connection has closed, it may have no address any more.
    const { ip: address, method } = request;
    const span = probes.has(request.path) ? undefined : startSpan(request, locals);
    if (span !== undefined) locals.traceId = span.traceId;
    response.once("close", () => {
      const durationMs = performance.now() - startedAt;
      const { requestId, traceId, parentId, operationName: operation, code, caller } = locals;
      const status = response.statusCode;
      const isCut = !response.writableFinished;
      const route = routeOf(request);
      contain(() => {
        if (status < 400 && !isCut && unloggedOperations.has(operation ?? "")) return;
        logger.info(
          {
            request_id: requestId,
            ...(traceId && { trace_id: traceId, parent_id: parentId }),
            method,
            route,
            operation,
            status,
            duration_ms: Math.round(durationMs * 10) / 10,
            ...(code && { code }),
            ...describeCaller(caller),
            address,
            ...(isCut && { is_cut: true }),
          },
          "request",
        );
      }, onError);
      contain(() => {
        metrics?.observeRequest(operation ?? "none", methodOf(request, "other"), status, durationMs);
        if (caller !== undefined) metrics?.countCaller(caller, durationMs);
        if (code !== undefined) metrics?.countRejection(code);
      }, onError);
      contain(() => span?.end({ route, operation, requestId, status, code, isCut }), onError);
    });
    if (span === undefined) next();
    else span.run(next);
  };

  function startSpan(request: Request, locals: Locals): RequestSpan | undefined {
    let span: RequestSpan | undefined;
    contain(() => {
      span = tracer?.startRequest(methodOf(request, "_OTHER"), locals);
    }, onError);
    return span;
  }
}

/** Load balancers call them every second. They would be most of the traces. */
const probes = new Set(["/healthz", "/readyz"]);

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE"]);

/** The method, if it is one of the contract: a client may send any word. */
const methodOf = ({ method }: Request, other: string) => (knownMethods.has(method) ? method : other);

/** The path with the names of its parameters. Undefined for an unknown one. */
function routeOf(request: Request): string | undefined {
  const path: unknown = request.route?.path;
  return typeof path === "string" ? path : undefined;
}
