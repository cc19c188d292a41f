import { startTcpProxy, type Target, type TcpProxy } from "./tcp-proxy";

/** Where the PostgreSQL of a URL listens: the URL of an embedded one names the folder of its socket. */
export function targetOf(databaseUrl: string): Target {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

/** A proxy before the PostgreSQL of a URL, and the URL that leads through it. */
export async function startPostgresProxy(databaseUrl: string): Promise<{ proxy: TcpProxy; url: string }> {
  const proxy = await startTcpProxy(targetOf(databaseUrl));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
