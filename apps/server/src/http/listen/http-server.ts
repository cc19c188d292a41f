import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "../hardening/connection";

export interface Timeouts {
  /** How long the headers of a request may take. */
  readonly headersTimeout: number;
  /** How long a whole request may take, except the upload of a file. */
  readonly requestTimeout: number;
  /** How long the upload of a file may take. One that stalls ends with `timeout`. */
  readonly uploadTimeout?: number;
  /** How long a connection may be idle between requests. Longer than load balancers keep idle connections. */
  readonly keepAliveTimeout: number;
  /**
   * How long a response may make no progress. Checked once per interval of this length, so it may take twice as long.
   */
  readonly timeout: number;
  readonly connectionsCheckingInterval: number;
}

/** The limits of a server whose statements may take this long. */
export const timeoutsFor = (statementTimeoutMs: number): Timeouts => ({
  headersTimeout: 10_000,
  requestTimeout: 13_000,
  keepAliveTimeout: 65_000,
  // A response makes no progress while its request waits for the database.
  timeout: Math.max(15_000, statementTimeoutMs + 12_000),
  connectionsCheckingInterval: 1_000,
});

/** The HTTP server, not listening yet. */
export function createHttpServer(
  app: RequestListener,
  { timeout, requestTimeout, uploadTimeout = 3_600_000, ...timeouts }: Timeouts,
  basePath = "",
) {
  let isClosing = false;
  const connections = new Map<Socket, Connection>();
  const serve: RequestListener = (request, response) => {
    const connection = connections.get(request.socket);
    connection?.handle(request, response, () => {
      if (isClosing && connection.isLast) response.setHeader("Connection", "close");
      app(request, response);
    });
  };
  // Node has one limit for all requests. The connections have those of each.
  const server = createServer({ ...timeouts, requestTimeout: 0, requireHostHeader: false }, serve);
  const check = setInterval(() => {
    for (const connection of connections.values()) connection.checkTime({ requestTimeout, uploadTimeout });
  }, timeouts.connectionsCheckingInterval);
  check.unref();
  server.once("close", () => clearInterval(check));
  // A client that closes its side after its requests still gets the responses. Node's types do not have the option.
  Object.assign(server, { timeout, httpAllowHalfOpen: true });
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Connection(socket, basePath));
    socket.once("close", () => connections.delete(socket));
  });
  // `Expect: 100-continue` is handled where the body is read.
  server.on("checkContinue", serve);
  server.on("checkExpectation", serve);
  server.on("connect", (_request, socket: Socket) => connections.get(socket)?.reject(new Error("CONNECT")));
  server.on("clientError", (error, socket: Socket) => connections.get(socket)?.reject(error));
  return {
    server,
    /** Finishes the requests that arrived, and closes all connections, at the latest after the grace period. */
    drain(graceMs: number): Promise<void> {
      isClosing = true;
      return drain(server, connections, graceMs);
    },
  };
}

/** Idle connections are kept this long, because their clients may just be sending another request. */
const lingerMs = 500;
const checkMs = 50;

/** Closes idle connections after `lingerMs`, and all connections after the grace period. */
async function drain(
  server: Server,
  connections: ReadonlyMap<Socket, unknown>,
  graceMs: number,
): Promise<void> {
  const startedAt = performance.now();
  while (connections.size > 0) {
    await sleep(checkMs);
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > graceMs) server.closeAllConnections();
    else if (elapsedMs > lingerMs) {
      server.closeIdleConnections();
      // Node does not count a connection as idle before its first request.
      for (const socket of connections.keys()) if (socket.bytesRead === 0) socket.destroy();
    }
  }
}
