import type { Worker } from "node:cluster";
import { createServer, type Socket } from "node:net";
import { type Address, bind } from "../../http/listen/bind";
import type { WordToPrimary, WordToWorker } from "./words";

/** The one port of all workers. This process takes the connections and hands each to a worker, unread. */
export interface Door {
  readonly url: string;
  /** From now on the worker gets its share of the connections, until it is gone. */
  admit(worker: Worker): void;
  /** Takes no more connections. What came before is handed on already, ahead of any later word to a worker. */
  shut(): void;
}

export async function openDoor(address: Address): Promise<Door> {
  // Of each worker the connections that it was sent and has not taken yet; who was sent one longest ago comes first.
  const sentTo = new Map<Worker, Map<number, Socket>>();
  const waiting: Socket[] = [];
  let count = 0;

  const handOver = (socket: Socket) => {
    const least = Math.min(...[...sentTo.values()].map(({ size }) => size));
    const [worker, sent] = [...sentTo].find(([, { size }]) => size === least) ?? [];
    if (worker === undefined || sent === undefined) return void waiting.push(socket);
    sentTo.delete(worker);
    sentTo.set(worker, sent);
    count += 1;
    sent.set(count, socket);
    const word: WordToWorker = { take: count };
    // Kept open here until it is taken. A worker that ends before that tells so by its end.
    worker.send(word, socket, { keepOpen: true }, () => undefined);
  };

  // Without a delay, as Node's HTTP server would have it: the connection keeps that wherever it goes.
  const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    handOver(socket);
  });
  const url = await bind(server, address);
  return {
    url,
    admit(worker) {
      if (!worker.isConnected()) return;
      const sent = new Map<number, Socket>();
      sentTo.set(worker, sent);
      worker.on("message", (word: WordToPrimary) => {
        if (word === "ready") return;
        sent.get(word.taken)?.destroy();
        sent.delete(word.taken);
      });
      worker.once("exit", () => {
        sentTo.delete(worker);
        // The last that it said may still be unread. (Node tells of no disconnection while something waits to be sent.)
        setImmediate(() => {
          for (const socket of sent.values()) handOver(socket);
        });
      });
      for (const socket of waiting.splice(0)) handOver(socket);
    },
    shut() {
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}
