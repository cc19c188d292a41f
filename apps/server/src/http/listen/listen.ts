import type { RequestListener } from "node:http";
import { Server as NetServer } from "node:net";
import { type Address, bind } from "./bind";
import { createHttpServer, type Timeouts } from "./http-server";

export interface RunningServer {
  /** Where it listens, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Takes nothing new, lets what runs finish, and cuts what is not done after the grace time. */
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
      // Node's own `close` of an HTTP server cuts idle connections at once, under a request that is on its way.
      NetServer.prototype.close.call(server);
      return drain(graceMs);
    },
  };
}
