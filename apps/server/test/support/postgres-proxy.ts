import { startTcpProxy, type Target, type TcpProxy } from "./tcp-proxy";

/** The address of a PostgreSQL URL: a port, or the socket of an embedded PostgreSQL. */
export function targetOf(databaseUrl: string): Target {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port: Number(port) };
}

/** Starts a proxy for a PostgreSQL URL. Returns the proxy and the URL through it. */
export async function startPostgresProxy(databaseUrl: string): Promise<{ proxy: TcpProxy; url: string }> {
  const proxy = await startTcpProxy(targetOf(databaseUrl));
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}
