import { createConnection, createServer } from "node:net";

/** Below the ports that Linux gives to outgoing connections: what is started again on its port finds it free. */
const [from, to] = [20_000, 32_000];

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = from + Math.floor(Math.random() * (to - from));
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once("error", () => resolve(false));
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
