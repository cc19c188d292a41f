import { SettingError } from "../../errors/service-error";
import { codeOf } from "../../errors/thrown";

/**
 * Says why PostgreSQL could not be reached at DATABASE_URL. A `SettingError` is one that only the operator can mend; the
 * others may pass. The message contains no password.
 */
export function explainConnection(url: string, thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = codeOf(error) ?? "";
  const address = addressOf(url);
  const fault = findFault({ ...address, code, message: error.message, path: pathOf(error) });
  if (fault !== undefined) return new SettingError(`DATABASE_URL ${fault}`);
  const absent = absences[code] ?? (error.message.startsWith("timeout") ? absences.ETIMEDOUT : undefined);
  // Node gives a failed connection to several addresses an empty message.
  const reason = absent ?? (error.message || code);
  return new Error(`DATABASE_URL: no connection to ${address.host}: ${reason.replace(/\.$/, "")}.`);
}

/** What a URL names. */
interface Address {
  /** The file of the CA, if the URL names one. */
  readonly rootCertificate: string | null;
  /** With the port. */
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

interface Failure extends Address {
  readonly code: string;
  readonly message: string;
  readonly path: string | undefined;
}

function addressOf(url: string): Address {
  const { hostname, port, username, pathname, searchParams } = new URL(url);
  return {
    rootCertificate: searchParams.get("sslrootcert"),
    host: `${decodeURIComponent(searchParams.get("host") ?? hostname) || "localhost"}:${port || 5432}`,
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
  };
}

/** The file that could not be opened: a certificate or a key. */
function pathOf(error: Error): string | undefined {
  const isFile = "syscall" in error && error.syscall === "open" && "path" in error;
  return isFile ? String(error.path) : undefined;
}

function findFault(failure: Failure): string | undefined {
  const { code, message, path, host, user, database, rootCertificate } = failure;
  if (path !== undefined) return `names the file ${path}, which cannot be read: ${message}.`;
  if (code === "28P01" || message.startsWith("SASL"))
    return `has a wrong user or password: PostgreSQL at ${host} rejected "${user}".`;
  if (code === "28000")
    return message.includes("no encryption")
      ? `does not use TLS, and PostgreSQL at ${host} requires it. Add sslmode=verify-full, or sslmode=require.`
      : `was rejected by PostgreSQL at ${host}: ${message}.`;
  if (code === "3D000")
    return `names the database "${database}", which does not exist at ${host}. Create it, or correct the name.`;
  if (code === "42501") return `has a user without the required rights: ${message}.`;
  if (message.startsWith("unsupported startup parameter"))
    return `leads to a pooler at ${host} that rejects startup options. Add ignore_startup_parameters = options to its configuration, or use the address of PostgreSQL itself.`;
  if (message.includes("does not support SSL"))
    return `requires TLS (sslmode), which PostgreSQL at ${host} does not offer.`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `has sslmode=verify-full, but the certificate of ${host} is for another host. Use the host name of the certificate.`;
  if (code === "CERT_HAS_EXPIRED") return `requires a valid certificate, and that of ${host} has expired.`;
  if (untrusted.has(code))
    return rootCertificate === null
      ? `requires a certificate of a known CA, and that of ${host} is not. Set sslrootcert to the file of its CA.`
      : `names the CA ${rootCertificate} (sslrootcert), which did not sign the certificate of ${host}. Use the file of its CA, or of the certificate itself if it is self-signed.`;
  return undefined;
}

const untrusted = new Set([
  "SELF_SIGNED_CERT_IN_CHAIN",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "CERT_SIGNATURE_FAILURE",
]);

const absences: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOENT: "there is no such socket",
  ENOTFOUND: "the host was not found",
  EAI_AGAIN: "the host was not found",
  ETIMEDOUT: "it does not respond",
};
