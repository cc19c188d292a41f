import { createServer, type RequestListener, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { errors } from "@madang/contract";
import { SettingError } from "./env";

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes nothing new, lets what runs finish, and cuts what is not done after the grace time. */
  close(graceMs: number): Promise<void>;
}

/** Slow and silent connections are closed; a load balancer's idle ones are kept longer than it keeps them itself. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 14_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

export async function listen(
  app: RequestListener,
  { PORT, HOST }: { PORT: number; HOST: string },
): Promise<RunningServer> {
  let isClosing = false;
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
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, PORT, HOST)));
    server.listen(PORT, HOST, resolve);
  });
  return {
    url: urlOf(server, HOST),
    close(graceMs) {
      isClosing = true;
      return close(server, graceMs);
    },
  };
}

function explain(error: NodeJS.ErrnoException, port: number, host: string): Error {
  if (error.code === "EADDRINUSE")
    return new SettingError(
      `PORT ${port} is in use on ${host}. Stop what listens there, or set PORT to another number.`,
    );
  if (error.code === "EACCES")
    return new SettingError(`PORT ${port} may not be used by this user. Set PORT to one above 1023.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new SettingError(`HOST ${host} is not an address of this machine.`);
  return error;
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
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

/**
 * Node's own `close` of an HTTP server cuts idle connections at once, under a request that is on its way. So only the
 * door is shut; who is still inside is served, told to close, and cut once silent.
 */
async function close(server: Server, graceMs: number): Promise<void> {
  const startedAt = performance.now();
  const closed = new Promise<"closed">((resolve) => {
    NetServer.prototype.close.call(server, () => resolve("closed"));
  });
  while ((await Promise.race([closed, sleep(lookMs)])) !== "closed") {
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > graceMs) server.closeAllConnections();
    else if (elapsedMs > lingerMs) server.closeIdleConnections();
  }
}
