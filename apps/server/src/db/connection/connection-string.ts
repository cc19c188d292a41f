import { findSimilarName } from "../../errors/similar-name";

/** The TLS modes of a database URL. libpq's `allow` and `prefer` fall back to an unencrypted connection. */
const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const;

/** Everything else is rejected, as by psql: a misspelled `sslmode` would otherwise turn TLS off. */
const parameters = [
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "require_auth",
  "host",
  "port",
  "user",
  "password",
  "application_name",
  "target_session_attrs",
];

/** What is wrong with a database URL, as the end of a sentence that begins with the name of its setting. */
export function findUrlFault(url: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(url))
    return "must be a PostgreSQL URL: postgresql://user:password@host:5432/database.";
  if (!URL.canParse(url) || !isDecodable(url))
    return "is not a valid URL. Encode special characters of the password, for example / as %2F and % as %25.";
  const { searchParams } = new URL(url);
  const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    if (unknown === "schema")
      return "has the parameter schema. The schema is the first one in the search_path of the user: ALTER ROLE madang SET search_path = chat.";
    const similar = findSimilarName(unknown, parameters);
    const hint = similar === undefined ? `Known are ${parameters.join(", ")}.` : `Did you mean ${similar}?`;
    return `has the unknown parameter ${unknown}. ${hint}`;
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && !tlsModes.some((known) => known === mode))
    return `has sslmode=${mode}. It must be one of ${tlsModes.join(", ")}.`;
  if (mode === "verify-ca" && !searchParams.has("sslrootcert"))
    return "has sslmode=verify-ca without sslrootcert. Add sslrootcert=/path/to/ca.pem, or use verify-full.";
  const attributes = searchParams.get("target_session_attrs");
  if (attributes !== null && attributes !== "read-write" && attributes !== "primary")
    return `has target_session_attrs=${attributes}. It must be read-write or primary.`;
  if (attributes === null && searchParams.get("host")?.includes(","))
    return "names several hosts. Add target_session_attrs=read-write, so that the server uses the one that accepts writes.";
  const method = searchParams.get("require_auth");
  if (method !== null && method !== "scram-sha-256")
    return `has require_auth=${method}. Only scram-sha-256 is supported.`;
  return undefined;
}

/** With a percent sign that begins no code, `pg` would decode the other codes differently, or not at all. */
function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** The URL for `pg`, which by default understands `sslmode` differently from libpq, and warns about it. */
export function connectionStringFor(url: string): string {
  return /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
}

/**
 * Several hosts, `postgresql://user@one:5432,two:5432/database`, are no valid URL. As in libpq, the parameters `host` and
 * `port` can contain the same lists.
 */
export function normalizeHosts(url: string): string {
  const [, scheme, hosts, rest] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]+,[^/?@]+)(.*)$/.exec(url) ?? [];
  if (scheme === undefined || hosts === undefined || rest === undefined) return url;
  const all = hosts.split(",").map((host) => /^(.*?)(?::(\d*))?$/.exec(host) ?? []);
  const names = all.map(([, name]) => name).join(",");
  const ports = all.map(([, , port]) => port || defaultPort).join(",");
  return `${scheme}${all[0]?.[1]}${rest}${rest.includes("?") ? "&" : "?"}host=${names}&port=${ports}`;
}

const defaultPort = "5432";

/** The URL of each host. */
export function listHosts(url: string): string[] {
  const { hostname, port, searchParams } = new URL(url);
  const names = (searchParams.get("host") ?? hostname).split(",");
  const ports = (searchParams.get("port") ?? port).split(",");
  return names.map((name, index) => urlOfNode(url, name, ports[index] ?? ports[0] ?? ""));
}

/** The same database on another host, with the same user, password and TLS mode. */
export function urlOfNode(databaseUrl: string, name: string, port: number | string): string {
  const url = new URL(databaseUrl);
  url.hostname = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
  url.port = String(port);
  // These would replace the address.
  for (const parameter of ["host", "port", "target_session_attrs"]) url.searchParams.delete(parameter);
  return url.href;
}
