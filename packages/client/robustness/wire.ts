import { createServer, type Server, type Socket } from "node:net";

/** A request as it arrived on the socket. */
export interface Received {
  readonly method: string;
  /** Path and query after the part that names script and run. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Whether its connection was used before. */
  readonly isReused: boolean;
  readonly at: number;
}

/** Responds on the socket, or breaks it. `index` counts the requests of one run from 0. */
export type Script = (socket: Socket, request: Received, index: number) => void;

/**
 * A server on raw sockets, which can do what HTTP libraries prevent. The URL selects a script, `/<script>/<run>/v1/…`;
 * `/log/<run>` returns the requests of a run.
 */
export function createFaultyServer(scripts: Readonly<Record<string, Script>>): Server {
  const logs = new Map<string, Received[]>();
  const counts = new Map<string, number>();
  return createServer((socket) => {
    let isReused = false;
    let buffer = Buffer.alloc(0);
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let request = takeRequest(); request; request = takeRequest()) respond(request);
    });

    function takeRequest(): Received | undefined {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return undefined;
      const [line = "", ...lines] = buffer.subarray(0, end).toString("latin1").split("\r\n");
      const headers = Object.fromEntries(
        lines.map((header) => {
          const colon = header.indexOf(":");
          return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()];
        }),
      );
      const bodyEnd = end + 4 + Number(headers["content-length"] ?? 0);
      if (buffer.length < bodyEnd) return undefined;
      const body = buffer.subarray(end + 4, bodyEnd).toString();
      buffer = buffer.subarray(bodyEnd);
      const [method = "", path = ""] = line.split(" ");
      const request = { method, path, headers, body, isReused, at: Date.now() };
      isReused = true;
      return request;
    }

    function respond(request: Received): void {
      const [, name = "", run = "", ...rest] = request.path.split("/");
      if (name === "log") {
        sendJson(socket, logs.get(run) ?? []);
        return;
      }
      const log = logs.get(run) ?? [];
      logs.set(run, log);
      log.push({ ...request, path: `/${rest.join("/")}` });
      const script = scripts[name];
      const index = counts.get(`${name}/${run}`) ?? 0;
      counts.set(`${name}/${run}`, index + 1);
      if (script) script(socket, { ...request, path: `/${rest.join("/")}` }, index);
      else sendJson(socket, { code: "route_not_found" }, 404);
    }
  });
}

/** A complete and correct response. */
export function sendText(
  socket: Socket,
  text: string,
  status: number,
  headers: Record<string, string> = {},
): void {
  socket.write(formatHead(status, { "content-length": String(Buffer.byteLength(text)), ...headers }) + text);
}

/** A complete and correct JSON response. */
export function sendJson(
  socket: Socket,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  sendText(socket, JSON.stringify(value), status, { "content-type": "application/json", ...headers });
}

/** The status line and the headers of a response. */
export function formatHead(status: number, headers: Record<string, string>): string {
  const lines = Object.entries({ "x-request-id": "req_1", ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `HTTP/1.1 ${status} Status\r\n${lines.join("\r\n")}\r\n\r\n`;
}

/** Resets after a complete head: without one, Bun, Deno and workerd retry by themselves on a reused connection. */
export function resetAfterHead(socket: Socket): void {
  socket.write(formatHead(200, { "content-type": "application/json", "content-length": "1000" }));
  setTimeout(() => socket.resetAndDestroy(), 20);
}
