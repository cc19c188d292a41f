import type { Trace } from "../options";

/** The `traceparent` header (W3C Trace Context) of the active span, if there is one. */
export function traceHeaders(trace: Trace | undefined): Readonly<Record<string, string>> {
  const span = trace?.getActiveSpan()?.spanContext();
  // OpenTelemetry marks a span that does not exist by ids of zeros.
  if (span === undefined || /^0*$/.test(span.traceId) || /^0*$/.test(span.spanId)) return {};
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, "0");
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}
