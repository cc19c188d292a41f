import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "./connection";

export interface HttpServer {
  readonly server: Server;
  /** Responds to the requests that arrived, asks clients to close, and cuts what is not done after the grace time. */
  drain(graceMs: number): Promise<void>;
}

export interface Timeouts {
  /** How long the headers of a request may take, and all of it. */
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  /** How long a connection may be silent between two requests. Longer than load balancers keep one. */
  readonly keepAliveTimeout: number;
  /** How long a response may make no progress. It is looked at once in this time, so a client has up to twice as long. */
  readonly timeout: number;
  readonly connectionsCheckingInterval: number;
}

const defaultTimeouts: Timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 13_000,
  keepAliveTimeout: 65_000,
  timeout: 15_000,
  connectionsCheckingInterval: 1_000,
};

/** The HTTP server without a port: its connections come from one, or from the process that has it. */
export function createHttpServer(
  app: RequestListener,
  { timeout, ...timeouts }: Timeouts = defaultTimeouts,
): HttpServer {
  let isClosing = false;
  const connections = new Map<Socket, Connection>();
  const serve: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    connection?.handle(request, response, () => {
      if (isClosing && connection.isLast) response.setHeader("Connection", "close");
      app(request, response);
    });
  };
  const server = createServer({ ...timeouts, requireHostHeader: false }, serve);
  // A client that closes its own side after its requests still gets the responses. Node's types do not know the option.
  Object.assign(server, { timeout, httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Connection(socket));
    socket.once("close", () => connections.delete(socket));
  });
  // The client asks before it sends its body. Whether it may is decided where the body is read.
  server.on("checkContinue", serve);
  server.on("checkExpectation", serve);
  server.on("connect", (_request, socket: Socket) => connections.get(socket)?.reject(new Error("CONNECT")));
  server.on("clientError", (error, socket: Socket) => connections.get(socket)?.reject(error));
  return {
    server,
    drain(graceMs) {
      isClosing = true;
      return drain(server, connections, graceMs);
    },
  };
}

/** An idle connection is kept so long: its client may be sending the next request just now. */
const lingerMs = 500;
const lookMs = 50;

/** Idle connections are closed after a moment, and all of them after the grace time. */
async function drain(
  server: Server,
  connections: ReadonlyMap<Socket, unknown>,
  graceMs: number,
): Promise<void> {
  const startedAt = performance.now();
  while (connections.size > 0) {
    await sleep(lookMs);
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > graceMs) server.closeAllConnections();
    else if (elapsedMs > lingerMs) server.closeIdleConnections();
  }
}
