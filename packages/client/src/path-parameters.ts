import type { Operation } from "./error-codes";
import { ValidationError } from "./errors";

/**
 * Rejects a path parameter that would change which address is called, such as an empty one or `..`, before anything is
 * sent. The value is not repeated: it may be a secret that was passed by mistake.
 */
export function requirePathParameters(operation: Operation, path: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(path)) {
    const [pattern, rule] = name === "key" ? metaKey : id;
    if (typeof value !== "string" || !pattern.test(value))
      throw new ValidationError(`${name} must be ${rule}.`, operation);
  }
}

const id = [/^[a-z0-9_]{4,80}$/, "4 to 80 characters: lower-case letters, digits and _ only"] as const;
const metaKey = [
  /^[A-Za-z\p{Script=Hangul}_-]+$/u,
  "one or more of the letters A-Z, a-z, Hangul, _ and -",
] as const;
