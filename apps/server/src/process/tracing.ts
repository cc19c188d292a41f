import type { Attributes, Span } from "@opentelemetry/api";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import { version } from "../../package.json";
import type { OnStatement } from "../db/connection/time-statement";
import type { RequestOutcome, RequestTracer } from "../http/observe/observe-requests";
import { currentSpans, runInSpans } from "../write/spans";

/** A collector that does not respond delays the end of the process by this time. */
const exportTimeoutMs = 3_000;

interface Tracing extends RequestTracer {
  readonly observeStatement: OnStatement;
  /** Sends the remaining spans. */
  close(): Promise<void>;
}

interface TracingOptions {
  readonly endpoint: string;
  /** The share of traces to record that begin in this server, from 0 to 1. For other traces the caller decides. */
  readonly ratio: number;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Sends requests and statements as spans to a collector, by OTLP over HTTP. Without it, no package of OpenTelemetry is loaded.
 * A statement of a batch is a span in the trace of each request that it serves.
 */
export async function startTracing({ endpoint, ratio, logger }: TracingOptions): Promise<Tracing> {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = await import("@opentelemetry/api");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import(
    "@opentelemetry/resources"
  );
  const { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } = await import(
    "@opentelemetry/sdk-trace"
  );
  const onError = (error: unknown) => logger.warn({ err: error }, "traces were not sent to the collector");
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, "")}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "madang-server", "service.version": version }))
      .merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: reportFailures(exporter, onError) })],
  });
  const tracer = provider.getTracer("madang-server", version);
  /** Without the message of an error, which may contain values. */
  const fail = (span: Span, type: string) =>
    span.setAttribute("error.type", type).setStatus({ code: SpanStatusCode.ERROR });
  return {
    startRequest(method, { traceId, parentId, traceFlags }) {
      const parent =
        traceId === undefined || parentId === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId,
              spanId: parentId,
              traceFlags: traceFlags ?? TraceFlags.NONE,
              isRemote: true,
            });
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { "http.request.method": method } },
        parent,
      );
      return {
        traceId: span.spanContext().traceId,
        run: (work) => runInSpans([span], work),
        end(outcome) {
          if (outcome.route !== undefined) span.updateName(`${method} ${outcome.route}`);
          span.setAttributes(attributesOf(outcome));
          const failure = failureOf(outcome);
          if (failure !== undefined) fail(span, failure);
          span.end();
        },
      };
    },
    observeStatement(name, durationMs, error) {
      const endTime = performance.now();
      const startTime = endTime - durationMs;
      for (const parent of currentSpans()) {
        const attributes = { "db.system.name": "postgresql", "db.query.summary": name };
        const span = tracer.startSpan(
          name,
          { kind: SpanKind.CLIENT, startTime, attributes },
          trace.setSpan(ROOT_CONTEXT, parent),
        );
        if (error !== undefined) fail(span, codeOf(error));
        span.end(endTime);
      }
    },
    close: () => provider.shutdown().catch(onError),
  };
}

/** Reports spans that could not be sent. The packages only write this to their own logger, which is off. */
function reportFailures(exporter: SpanExporter, onError: (error: unknown) => void): SpanExporter {
  return {
    export: (spans, onResult) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined) onError(result.error);
        onResult(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

const attributesOf = ({ route, operation, requestId, status, code }: RequestOutcome): Attributes => ({
  ...(route !== undefined && { "http.route": route }),
  ...(operation !== undefined && { "madang.operation": operation }),
  ...(code !== undefined && { "madang.code": code }),
  "madang.request_id": requestId,
  "http.response.status_code": status,
});

function failureOf({ status, code, isCut }: RequestOutcome): string | undefined {
  if (isCut) return "cut";
  return status >= 500 ? (code ?? String(status)) : undefined;
}

/** The SQLSTATE, or the code or the name of the error. */
function codeOf(error: unknown): string {
  const { code, name } = Object(error);
  return String(code ?? name ?? "error");
}
