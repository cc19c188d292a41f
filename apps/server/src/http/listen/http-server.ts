import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@madang/contract";

export interface HttpServer {
  readonly server: Server;
  /** Serves who is inside, tells them to close, and cuts what is not done after the grace time. */
  drain(graceMs: number): Promise<void>;
}

/** Slow and silent connections are closed; a load balancer's idle ones are kept longer than it keeps them itself. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 13_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** What speaks HTTP, without a port: connections come from one, or from the process that has it. */
export function createHttpServer(app: RequestListener): HttpServer {
  let isClosing = false;
  const inside = new Set<Socket>();
  const serve: RequestListener = (request, response) => {
    if (request.headers.host === undefined && request.httpVersion !== "1.0")
      return refuseMalformed(new Error("no Host"), request.socket);
    // In HTTP/1.0 there are no chunks: a proxy on the way would see another end of this request than we do.
    if (request.httpVersion === "1.0" && request.headers["transfer-encoding"] !== undefined)
      return refuseMalformed(new Error("chunked HTTP/1.0"), request.socket);
    if (isClosing) response.setHeader("Connection", "close");
    app(request, response);
  };
  const server = createServer({ ...timeouts, requireHostHeader: false }, serve);
  server.on("clientError", refuseMalformed);
  // The caller asks before it sends its body, and is answered by whoever would read it: see readBody.
  server.on("checkContinue", serve);
  server.on("checkExpectation", (request) => refuseMalformed(new Error("an unknown Expect"), request.socket));
  server.on("connect", (request) => refuseMalformed(new Error("CONNECT"), request.socket));
  server.on("connection", (socket: Socket) => {
    inside.add(socket);
    socket.once("close", () => inside.delete(socket));
  });
  return {
    server,
    drain(graceMs) {
      isClosing = true;
      return drain(server, inside, graceMs);
    },
  };
}

/** What is no HTTP never reaches the application, so its refusal is written by hand. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  const isLate = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const { status, title } = errors.invalid_request;
  const detail = isLate ? "The request did not arrive in time." : "This is not a valid HTTP/1.1 request.";
  const body = JSON.stringify({
    type: "/docs#invalid_request",
    title,
    status,
    detail,
    code: "invalid_request",
    request_id: "none",
  });
  socket.end(
    `HTTP/1.1 ${status} Bad Request\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: none\r\nConnection: close\r\n\r\n${body}`,
  );
}

/** For so long a connection is kept that has nothing to do: its caller may be sending the next request just now. */
const lingerMs = 500;
const lookMs = 50;

/** Who is inside is served, told to close, and cut once silent. */
async function drain(server: Server, inside: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const startedAt = performance.now();
  while (inside.size > 0) {
    await sleep(lookMs);
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > graceMs) server.closeAllConnections();
    else if (elapsedMs > lingerMs) server.closeIdleConnections();
  }
}
