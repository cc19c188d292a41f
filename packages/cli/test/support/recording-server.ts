import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly headers: IncomingMessage["headers"];
}

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
}

/** A server that records requests and responds with the given replies. */
export async function startRecordingServer(reply: (path: string) => Reply) {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const text = Buffer.concat(chunks).toString("utf8");
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const { method = "", headers } = request;
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    requests.push({ method, path: pathname, query: Object.fromEntries(searchParams), body, headers });
    const { status, body: sent } = reply(pathname);
    response.writeHead(status, {
      "content-type": status < 400 ? "application/json" : "application/problem+json",
    });
    response.end(sent === undefined ? undefined : JSON.stringify(sent));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server on a port has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
