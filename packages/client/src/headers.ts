import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

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
