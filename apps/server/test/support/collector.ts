import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { bind } from "../../src/http/listen/bind";

/** A span as OTLP has it, with its attributes as an object. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly isError: boolean;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** Everything that was sent to it: headers and bodies. */
  readonly received: readonly string[];
  close(): void;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, string | number>>;
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}
interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}

/** A collector of OpenTelemetry that speaks OTLP over HTTP, in JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const received: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received.push(JSON.stringify(request.headers), body);
    if (request.method !== "POST" || request.url !== "/v1/traces") {
      response.writeHead(404).end();
      return;
    }
    const { resourceSpans }: Export = JSON.parse(body);
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(readAttributes(resource.attributes)["service.name"]);
      for (const each of scopeSpans) spans.push(...each.spans.map((span) => readSpan(service, span)));
    }
    response.setHeader("Content-Type", "application/json").end("{}");
  });
  return {
    url: await bind(server, { PORT: 0, HOST: "127.0.0.1" }),
    spans,
    received,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function readSpan(service: string, span: SentSpan): CollectedSpan {
  const { name, traceId, spanId, parentSpanId, startTimeUnixNano, endTimeUnixNano, attributes, status } =
    span;
  return {
    service,
    name,
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    startNs: BigInt(startTimeUnixNano),
    endNs: BigInt(endTimeUnixNano),
    attributes: readAttributes(attributes),
    isError: status.code === 2,
  };
}

const readAttributes = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? ""]));
