import { createConnection, createServer } from "node:net";

/** Below the ports that Linux gives to outgoing connections: what is started again on its port finds it free. */
const [from, to] = [20_000, 32_000];
let next = Math.floor(Math.random() * (to - from));

/** For a program that does not report its port, or that is started again on the same one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = from + (next++ % (to - from));
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve, reject) => {
      probe.once("error", (error) =>
        "code" in error && error.code === "EADDRINUSE" ? resolve(false) : reject(error),
      );
      probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

export function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
