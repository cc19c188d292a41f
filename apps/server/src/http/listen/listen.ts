import type { RequestListener } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate } from "node:timers/promises";
import { type Address, bind } from "./bind";
import { createHttpServer, type Timeouts } from "./http-server";

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Accepts no more connections, finishes running requests, and closes all connections after the grace period. */
  close(graceMs: number): Promise<void>;
}

/** How many connections can wait until Node accepts them. */
const backlog = 511;

export async function listen(
  app: RequestListener,
  address: Address,
  timeouts: Timeouts,
  basePath = "",
): Promise<RunningServer> {
  const { server, drain } = createHttpServer(app, timeouts, basePath);
  let accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  const url = await bind(server, address);
  return {
    url,
    async close(graceMs) {
      // A client that connected may have sent a request. Closing the port would reset what Node has not accepted yet, and it
      // accepts one connection in each turn of its event loop.
      for (let turn = 0, last = -1; turn < backlog && accepted > last; turn++) {
        last = accepted;
        await setImmediate();
        await setImmediate();
      }
      // `close` of the HTTP server would close idle connections immediately, even if a request is on its way.
      NetServer.prototype.close.call(server);
      return drain(graceMs);
    },
  };
}
