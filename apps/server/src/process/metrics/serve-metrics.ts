import { createServer } from "node:http";
import type { Registry } from "prom-client";
import { bind } from "../../http/listen/bind";

/** Serves the metrics on a separate port, so that the public port never exposes them. */
export async function serveMetrics(registry: Registry, port: number, host: string) {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") return void response.writeHead(404).end();
    try {
      const text = await registry.metrics();
      response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
    } catch {
      response.writeHead(500).end();
    }
  });
  const names = { port: "MADANG_METRICS_PORT", host: "MADANG_METRICS_HOST" };
  const url = await bind(server, { PORT: port, HOST: host, exclusive: true }, names);
  return {
    url: `${url}/metrics`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
