let loading: Promise<typeof import("@opentelemetry/api") | undefined> | undefined;

/**
 * The `traceparent` header (W3C Trace Context) of the span that is active in the application, if it uses OpenTelemetry. Where
 * that package is not installed, nothing is sent.
 */
export async function readTraceHeaders(): Promise<Readonly<Record<string, string>>> {
  loading ??= import("@opentelemetry/api").catch(() => undefined);
  const api = await loading;
  const span = api?.trace.getActiveSpan()?.spanContext();
  if (api === undefined || span === undefined || !api.isSpanContextValid(span)) return {};
  const flags = (span.traceFlags & 0xff).toString(16).padStart(2, "0");
  return { traceparent: `00-${span.traceId}-${span.spanId}-${flags}` };
}
