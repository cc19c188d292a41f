import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inject } from "vitest";

/** A server before that of the tests. A request that `take` responds to, or keeps waiting, is not passed on. */
export async function startProxy(take: (asked: IncomingMessage, response: ServerResponse) => boolean) {
  const proxy = createServer((asked, response) => {
    if (take(asked, response)) return;
    const { method, headers } = asked;
    const passed = request(new URL(asked.url ?? "", inject("url")), { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    passed.on("error", () => response.destroy());
    response.once("close", () => passed.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an address of this form.
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** An error of the service. */
export function sendProblem(response: ServerResponse, status: number, code: string): true {
  response.writeHead(status, { "content-type": "application/problem+json" });
  response.end(JSON.stringify({ status, code, title: code, detail: code, request_id: "proxy" }));
  return true;
}
