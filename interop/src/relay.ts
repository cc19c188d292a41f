import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { OperationId } from "@madang/contract";
import { findOperation } from "./find-operation.ts";

export interface Relay {
  readonly url: string;
  /** The operations with a successful response. */
  readonly succeeded: ReadonlySet<OperationId>;
  close(): Promise<void>;
}

/** Runs behind a proxy with a single target, and forwards each request to the server that its header names. */
export async function startRelay(): Promise<Relay> {
  const succeeded = new Set<OperationId>();
  // Idle connections stay open: the journeys do not retry a request whose connection was closed.
  const relay = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
    const { "x-madang-server": server, ...headers } = incoming.headers;
    const { method = "GET", url = "/" } = incoming;
    const target = new URL(url, String(server));
    const forwarded = request(
      target,
      { method, headers: { ...headers, host: target.host }, agent: false },
      (response) => {
        const { statusCode = 502 } = response;
        const operation = findOperation(method, target.pathname);
        if (operation !== undefined && statusCode < 300) succeeded.add(operation);
        outgoing.writeHead(statusCode, response.rawHeaders);
        response.pipe(outgoing);
      },
    );
    forwarded.once("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has an address of this form.
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    succeeded,
    async close() {
      relay.closeAllConnections();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
