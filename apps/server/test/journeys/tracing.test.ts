import { ChatClient } from "@madang/client";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { afterAll, expect, test } from "vitest";
import { startCollector } from "../support/collector";
import { masterKey, startServer } from "../support/server";

/** An application that uses OpenTelemetry as its documentation shows, the SDK, and a server with the same collector. */

const collector = await startCollector();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
const exporter = new OTLPTraceExporter({ url: `${collector.url}/v1/traces` });
const application = new TracerProvider({
  resource: resourceFromAttributes({ "service.name": "application" }),
  spanProcessors: [new BatchSpanProcessor({ exporter })],
});
trace.setGlobalTracerProvider(application);
const server = await startServer({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` } });
const chat = new ChatClient({ baseUrl: server.url, apiKey: masterKey, trace });
await chat.users.create({ user_id: "kim_01", name: "A private name" });
await chat.channels.create({ channel_id: "c_secret", name: "A private channel", members: ["kim_01"] });
afterAll(async () => {
  await application.shutdown();
  context.disable();
  trace.disable();
  collector.close();
});

/** Runs work in a span of the application, and returns the id of its trace. */
const inSpan = (name: string, work: () => Promise<unknown>): Promise<string> =>
  trace.getTracer("application").startActiveSpan(name, async (span) => {
    await work().catch(() => undefined);
    span.end();
    return span.spanContext().traceId;
  });

const send = (content: string) =>
  chat.messages.send("c_secret", { user_id: "kim_01", type: "text", content });

test("one trace spans the application, the SDK and SQL, and shows no content, id or key", async () => {
  const sent = await inSpan("order", () => send("A private message"));
  const rejected = await inSpan("unknown", () => chat.users.get("nobody_here"));
  const batch = await Promise.all([..."12345678"].map((content) => inSpan("batch", () => send(content))));
  const response = await fetch(`${server.url}/v1/users/kim_01?x=query_secret`, {
    headers: { authorization: `Bearer ${masterKey}` },
  });
  await response.json();
  for (const probe of ["/healthz", "/readyz"]) await (await fetch(server.url + probe)).json();
  const foreign = await fetch(`${server.url}/v1/users/kim_01`, {
    headers: {
      authorization: `Bearer ${masterKey}`,
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
    },
  });
  await foreign.json();
  await application.forceFlush();
  await server.close();
  const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);

  const [root] = spansOf(sent).filter(({ name }) => name === "order");
  const [request] = spansOf(sent).filter(({ parentSpanId }) => parentSpanId === root?.spanId);
  expect(request).toMatchObject({
    service: "madang-server",
    name: "POST /v1/group/channels/:channel_id/messages",
    attributes: {
      "http.request.method": "POST",
      "http.route": "/v1/group/channels/:channel_id/messages",
      "http.response.status_code": 201,
      "madang.operation": "messages.send",
    },
    isError: false,
  });
  const statements = spansOf(sent).filter(({ parentSpanId }) => parentSpanId === request?.spanId);
  expect(statements.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^messages\./));
  for (const { attributes, startNs, endNs } of statements) {
    expect(attributes["db.system.name"]).toBe("postgresql");
    expect(endNs).toBeGreaterThanOrEqual(startNs);
    // Both times are rounded to less than a millisecond.
    expect(startNs).toBeGreaterThanOrEqual((request?.startNs ?? 0n) - 1_000_000n);
    expect(endNs).toBeLessThanOrEqual((request?.endNs ?? 0n) + 1_000_000n);
  }

  expect(spansOf(rejected).find(({ name }) => name.startsWith("GET "))?.attributes).toMatchObject({
    "http.response.status_code": 404,
    "madang.code": "user_not_found",
  });
  // Sends at once share statements; each trace has those that served it.
  for (const each of batch) expect(spansOf(each).some(({ name }) => name.startsWith("messages."))).toBe(true);
  expect(spansOf("0af7651916cd43dd8448eb211c80319c")).toEqual([]);

  // Load balancers call them every second.
  expect(collector.spans.filter(({ name }) => /healthz|readyz/.test(name))).toEqual([]);

  const lines: { request_id?: string; trace_id?: string }[] = server.logLines.map((line) => JSON.parse(line));
  const logged = lines.find(({ request_id }) => request_id === request?.attributes["madang.request_id"]);
  expect(logged).toMatchObject({ trace_id: sent, parent_id: root?.spanId });
  const alone = lines.find(({ request_id }) => request_id === response.headers.get("x-request-id"));
  expect(spansOf(String(alone?.trace_id)).length).toBeGreaterThan(0);

  const received = collector.received.join("\n");
  for (const secret of ["private", "kim_01", "c_secret", "nobody_here", "query_secret", masterKey])
    expect(received).not.toContain(secret);
});

test("a collector that does not respond fails no request and does not prevent the end", async () => {
  const closed = await startCollector();
  closed.close();
  const other = await startServer({ settings: { OTEL_EXPORTER_OTLP_ENDPOINT: closed.url } });
  const { status } = await fetch(`${other.url}/v1/users/kim_01`, {
    headers: { authorization: `Bearer ${masterKey}` },
  });
  expect(status).toBe(404);
  await other.close();
  expect(other.logLines.join("")).toContain("traces were not sent to the collector");
});
