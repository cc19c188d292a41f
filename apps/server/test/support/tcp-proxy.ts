import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

export interface Faults {
  /** Called with the bytes of the client. The returned bytes are forwarded; `undefined` forwards nothing. */
  readonly onRequest?: (bytes: Buffer, link: Link) => Buffer | undefined;
  /** The same for the bytes of the server. */
  readonly onResponse?: (bytes: Buffer, link: Link) => Buffer | undefined;
}

export interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Resets both connections, as a crash or a firewall does. */
  cut(): void;
}

/** A port, or the path of a Unix socket. */
export type Target = { readonly host: string; readonly port: number } | { readonly path: string };

export interface TcpProxy {
  readonly port: number;
  /** Changes the faults, for open connections too. */
  set(faults: Faults): void;
  /** Connects later clients to another target. */
  retarget(target: Target): void;
  close(): Promise<void>;
}

/** Forwards TCP connections and injects faults into them. */
export async function startTcpProxy(first: Target): Promise<TcpProxy> {
  let target = first;
  let faults: Faults = {};
  const links = new Set<Link>();
  const proxy = createServer((client) => {
    const server = createConnection(target);
    const link: Link = {
      client,
      server,
      cut() {
        client.resetAndDestroy();
        // A Unix socket cannot be reset.
        if ("path" in target) server.destroy();
        else server.resetAndDestroy();
      },
    };
    links.add(link);
    client.on("data", (bytes) => forward(server, faults.onRequest, bytes, link));
    server.on("data", (bytes) => forward(client, faults.onResponse, bytes, link));
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("end", () => to.end());
      from.on("close", () => {
        to.destroy();
        links.delete(link);
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    // A server that listens on a port has an address of this form.
    port: (proxy.address() as AddressInfo).port,
    set(changed) {
      faults = changed;
    },
    retarget(changed) {
      target = changed;
    },
    async close() {
      for (const link of links) link.cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function forward(to: Socket, change: Faults["onResponse"], bytes: Buffer, link: Link): void {
  const changed = change === undefined ? bytes : change(bytes, link);
  if (changed !== undefined && to.writable) to.write(changed);
}
