import type { Worker } from "node:cluster";
import { createServer, type Socket } from "node:net";
import { type Address, bind } from "../../http/listen/bind";
import type { Command, Report } from "./receive";

/** The port of all workers. The primary process accepts the connections and sends each to a worker, unread. */
export interface SharedPort {
  readonly url: string;
  /** Sends the worker its share of the connections, until it exits. */
  add(worker: Worker): void;
  /** Accepts no more connections. Earlier ones were sent already, before any later command to a worker. */
  close(): void;
}

export async function openSharedPort(address: Address): Promise<SharedPort> {
  // The connections that each worker was sent and has not taken yet; the least recently used worker comes first.
  const sentTo = new Map<Worker, Map<number, Socket>>();
  const waiting: Socket[] = [];
  let count = 0;

  const send = (socket: Socket) => {
    const fewest = Math.min(...[...sentTo.values()].map(({ size }) => size));
    const [worker, sent] = [...sentTo].find(([, { size }]) => size === fewest) ?? [];
    if (worker === undefined || sent === undefined) return void waiting.push(socket);
    sentTo.delete(worker);
    sentTo.set(worker, sent);
    count += 1;
    sent.set(count, socket);
    const command: Command = { take: count };
    // Kept open here until the worker reports that it took the connection, or exits.
    worker.send(command, socket, { keepOpen: true }, () => undefined);
  };

  // `noDelay` as in Node's HTTP server; it stays set when the connection is sent to another process.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    send(socket);
  });
  const url = await bind(server, address);
  return {
    url,
    add(worker) {
      if (!worker.isConnected()) return;
      const sent = new Map<number, Socket>();
      sentTo.set(worker, sent);
      worker.on("message", (report: Report) => {
        if (report === "ready") return;
        sent.get(report.taken)?.destroy();
        sent.delete(report.taken);
      });
      worker.once("exit", () => {
        sentTo.delete(worker);
        // Its last report may still be unread: Node may emit `exit` before messages that arrived earlier.
        setImmediate(() => {
          for (const socket of sent.values()) send(socket);
        });
      });
      for (const socket of waiting.splice(0)) send(socket);
    },
    close() {
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}
