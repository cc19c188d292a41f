import { version } from "../../package.json";
import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";

/** `madang-client/0.1.0 (node/24.21.0)`; runtimes other than Node describe themselves. */
export const userAgent = `madang-client/${version} (${findRuntime()})`;

function findRuntime(): string {
  const { navigator, process } = globalThis as {
    navigator?: { userAgent?: string };
    process?: { versions?: { node?: string } };
  };
  return navigator?.userAgent ?? `node/${process?.versions?.node}`;
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

export function requireIdempotencyKey(key: string | undefined, operation: Operation): void {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationError("idempotencyKey", "Must be 1 to 255 visible ASCII characters.", operation);
}
