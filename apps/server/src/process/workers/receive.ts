import type { RequestListener } from "node:http";
import type { Socket } from "node:net";
import { createHttpServer } from "../../http/listen/http-server";
import type { RunningServer } from "../../http/listen/listen";
import type { WordToPrimary, WordToWorker } from "./words";

/** Answers requests on the connections that the process with the port sends. */
export function receive(app: RequestListener): RunningServer {
  const { server, drain } = createHttpServer(app);
  // Node looks for slow connections from the moment on that a server listens, and this one never does.
  server.emit("listening");
  process.on("message", (word: WordToWorker, socket: Socket | undefined) => {
    if (word === "end") return;
    // Said before anything is read: a connection that was not taken can still be given to another worker.
    tell({ taken: word.take });
    // It closed on the way.
    if (socket === undefined) return;
    // Whoever shuts its own half after the request wants the answer nevertheless.
    socket.allowHalfOpen = true;
    server.emit("connection", socket);
  });
  return { url: "the port of all workers", close: drain };
}

export function tell(word: WordToPrimary): void {
  process.send?.(word);
}

/** Settles when this worker is to end. Signals are for the one that has the port: it must shut that first. */
export function waitForEnd(): Promise<"end"> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => undefined);
  return new Promise((resolve) => {
    process.on("message", (word: WordToWorker) => word === "end" && resolve(word));
  });
}
