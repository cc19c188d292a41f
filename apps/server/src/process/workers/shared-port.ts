import type { Worker } from "node:cluster";
import { createServer, type Socket } from "node:net";
import { type Address, bind } from "../../http/listen/bind";
import type { Command, Report } from "./messages";

/** The one port of all workers. This process accepts the connections and sends each to a worker, unread. */
export interface SharedPort {
  readonly url: string;
  /** From now on the worker gets its share of the connections, until it exits. */
  add(worker: Worker): void;
  /** Accepts no more connections. Those before it were sent already, ahead of any later command to a worker. */
  close(): void;
}

export async function openSharedPort(address: Address): Promise<SharedPort> {
  // The connections that each worker was sent and has not taken over yet, the worker that was sent one longest ago first.
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
    // Kept open here until the worker reports that it took it over, or exits.
    worker.send(command, socket, { keepOpen: true }, () => undefined);
  };

  // Without a delay, as in Node's HTTP server. The connection keeps that in every process.
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
        // Its last report may still be unread: Node emits `exit` before messages that arrived.
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
