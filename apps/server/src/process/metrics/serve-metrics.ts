import { createServer } from "node:http";
import { bind } from "../../http/listen/bind";
import type { Metrics } from "./metrics";

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves the metrics on a separate port, so that the public port never exposes them. */
export async function serveMetrics(metrics: Metrics, port: number, host: string): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    try {
      const text = await metrics.render();
      response.writeHead(200, { "Content-Type": metrics.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  const names = { port: "MADANG_METRICS_PORT", host: "MADANG_METRICS_HOST" };
  const url = await bind(server, { PORT: port, HOST: host }, names);
  return {
    url: `${url}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
