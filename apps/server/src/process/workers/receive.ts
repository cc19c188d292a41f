import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { createHttpServer } from "../../http/listen/http-server";
import type { RunningServer } from "../../http/listen/listen";

/**
 * From the primary process to a worker: take the connection with this number; report that you are not ready; stop.
 */
export type Command = { readonly take: number } | "unready" | "stop";

/** From a worker to the primary process: ready to serve requests; took the connection with this number. */
export type Report = { readonly taken: number } | "ready";

/** A terminal that closes sends the last one. */
export const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serves requests on the connections that the primary process sends. */
export function receive(app: RequestListener): RunningServer {
  const { server, drain } = createHttpServer(app);
  // Node checks for slow connections only after `listening`, which this server never emits by itself.
  server.emit("listening");
  process.on("message", (command: Command, socket: Socket | undefined) => {
    if (typeof command === "string") return;
    // Before anything is read: until then, the connection can still be sent to another worker.
    report({ taken: command.take });
    // It was closed on the way.
    if (socket === undefined) return;
    // A client that closes its side after its request still gets the response.
    socket.allowHalfOpen = true;
    server.emit("connection", socket);
  });
  return { url: "the port of all workers", close: drain };
}

export function report(message: Report): void {
  process.send?.(message);
}

/** Calls `onUnready` before this worker must stop, and resolves when it must. The primary process handles signals. */
export function waitForStop(onUnready: () => void): Promise<"stop"> {
  for (const signal of endingSignals) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    process.on("message", (command: Command) => {
      if (command === "unready") onUnready();
      if (command === "stop") resolve(command);
    });
  });
}
