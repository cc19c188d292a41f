import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

/**
 * Fills the `:names` of a path. Rejects a value that would change which address is called, such as an empty one or `..`,
 * before anything is sent. The value is not repeated: it may be a secret that was passed by mistake.
 */
export function fillPath(
  path: string,
  values: Readonly<Record<string, unknown>>,
  operation: Operation,
): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name];
    // Every id and every key of the service consists of these.
    if (typeof value !== "string" || !/^[\p{L}\p{N}_-]+$/u.test(value))
      throw new ValidationError(name, "Must consist of letters, digits, `_` and `-`.", operation, "path");
    return encodeURIComponent(value);
  });
}
