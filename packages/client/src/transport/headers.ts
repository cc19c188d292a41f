import { version } from "../../package.json";
import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";
import type { RequestOptions } from "../options";

/** `madang-client/0.1.0 (node/20.20.2)`; newer Nodes and other runtimes describe themselves. */
export const userAgent = `madang-client/${version} (${findRuntime()})`;

function findRuntime(): string {
  const { navigator, process } = globalThis as {
    // React Native has only the second one.
    navigator?: { userAgent?: string; product?: string };
    process?: { versions?: { node?: string } };
  };
  return navigator?.userAgent ?? navigator?.product ?? `node/${process?.versions?.node}`;
}

/** Requires headers that every platform sends: a platform rejects others with an error that shows the value. */
export function requireHeaders(
  headers: Readonly<Record<string, string>> | undefined,
  operation?: Operation,
): Record<string, string> {
  const entries = Object.entries(headers ?? {}).map(([name, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
      throw new ValidationError(
        `headers.${JSON.stringify(name)}`,
        "The name or the value cannot be sent.",
        operation,
      );
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** Who sends the request and why, for the audit log. Options of a call override `defaults`, which are those of the client. */
export function auditHeaders(
  options: RequestOptions,
  defaults: RequestOptions = {},
  operation?: Operation,
): Record<string, string> {
  const entries = (["actor", "reason"] as const).flatMap((name) => {
    const value = options[name] ?? defaults[name];
    return value === undefined ? [] : [[`x-madang-${name}`, encodeHeader(name, value, operation)]];
  });
  return Object.fromEntries(entries);
}

/** `fetch` accepts one byte per character. The service reads the bytes as UTF-8. */
function encodeHeader(name: string, value: string, operation?: Operation): string {
  if (!/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value) || value.trim() === "")
    throw new ValidationError(name, "Must be 1 to 200 characters without control characters.", operation);
  return String.fromCharCode(...new TextEncoder().encode(value));
}

export function requireIdempotencyKey(key: string | undefined, operation: Operation): void {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationError("idempotencyKey", "Must be 1 to 255 visible ASCII characters.", operation);
}
