import type { RequestListener } from "node:http";
import { Server as NetServer } from "node:net";
import { type Address, bind } from "./bind";
import { createHttpServer, type Timeouts } from "./http-server";

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Accepts no more connections, finishes running requests, and closes all connections after the grace period. */
  close(graceMs: number): Promise<void>;
}

/** Serves requests on its own port. */
export async function listen(
  app: RequestListener,
  address: Address,
  timeouts?: Timeouts,
): Promise<RunningServer> {
  const { server, drain } = createHttpServer(app, timeouts);
  const url = await bind(server, address);
  return {
    url,
    close(graceMs) {
      // `close` of the HTTP server would close idle connections immediately, even if a request is on its way.
      NetServer.prototype.close.call(server);
      return drain(graceMs);
    },
  };
}
