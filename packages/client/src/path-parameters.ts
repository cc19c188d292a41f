import { ValidationError } from "./errors";
import { pathParameters } from "./generated/routes";
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
    const [pattern, min, max, rule] = pathParameters[name] ?? anySegment;
    const isValid =
      typeof value === "string" && pattern.test(value) && value.length >= min && value.length <= max;
    if (!isValid || /^\.*$/.test(value))
      throw new ValidationError("path", name, `Is not valid. ${rule}`, operation);
    return encodeURIComponent(value);
  });
}

const anySegment = [/./, 1, Number.POSITIVE_INFINITY, "It must not be empty."] as const;
