import { findSimilarName } from "../similar-name";

/** The TLS modes of a database URL. libpq's `allow` and `prefer` fall back to an unencrypted connection. */
export const tlsModes = ["disable", "require", "verify-ca", "verify-full"] as const;

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
];

/** What is wrong with a database URL, as the end of a sentence that begins with the name of its setting. */
export function findUrlFault(url: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(url))
    return "must be a PostgreSQL URL: postgresql://user:password@host:5432/database.";
  if (!URL.canParse(url))
    return "is not a valid URL. Encode special characters of the password, for example / as %2F.";
  const { searchParams } = new URL(url);
  const unknown = [...searchParams.keys()].find((name) => !parameters.includes(name));
  if (unknown !== undefined) {
    const similar = findSimilarName(unknown, parameters);
    const hint = similar === undefined ? `Known are ${parameters.join(", ")}.` : `Did you mean ${similar}?`;
    return `has the unknown parameter ${unknown}. ${hint}`;
  }
  const mode = searchParams.get("sslmode");
  if (mode !== null && !tlsModes.some((known) => known === mode))
    return `has sslmode=${mode}. It must be one of ${tlsModes.join(", ")}.`;
  if (mode === "verify-ca" && !searchParams.has("sslrootcert"))
    return "has sslmode=verify-ca without sslrootcert. Add sslrootcert=/path/to/ca.pem, or use verify-full.";
  const method = searchParams.get("require_auth");
  if (method !== null && method !== "scram-sha-256")
    return `has require_auth=${method}. Only scram-sha-256 is supported.`;
  return undefined;
}

/** The URL for `pg`, which by default understands `sslmode` differently from libpq, and warns about it. */
export function connectionStringFor(url: string): string {
  return /[?&]sslmode=/.test(url) ? `${url}&uselibpqcompat=true` : url;
}
