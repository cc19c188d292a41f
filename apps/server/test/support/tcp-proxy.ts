import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

export interface Faults {
  /** Called with what the client sends; what it answers is forwarded instead, and nothing once it cuts. */
  readonly onRequest?: (bytes: Buffer, link: Link) => Buffer | undefined;
  /** The same for what the server answers. */
  readonly onAnswer?: (bytes: Buffer, link: Link) => Buffer | undefined;
}

export interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Ends both sides with a reset, as a crash or a firewall does. */
  cut(): void;
}

/** A port, or the path of a Unix socket. */
export type Target = { readonly host: string; readonly port: number } | { readonly path: string };

export interface TcpProxy {
  readonly port: number;
  /** Changes what goes wrong, for open connections too. */
  set(faults: Faults): void;
  /** Sends later connections elsewhere. */
  retarget(target: Target): void;
  close(): Promise<void>;
}

/** Stands between two that talk over TCP, and lets a test decide what gets through. */
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
        // A Unix socket knows no reset.
        if ("path" in target) server.destroy();
        else server.resetAndDestroy();
      },
    };
    links.add(link);
    client.on("data", (bytes) => forward(server, faults.onRequest, bytes, link));
    server.on("data", (bytes) => forward(client, faults.onAnswer, bytes, link));
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

function forward(to: Socket, change: Faults["onAnswer"], bytes: Buffer, link: Link): void {
  const changed = change === undefined ? bytes : change(bytes, link);
  if (changed !== undefined && to.writable) to.write(changed);
}
