import { ValidationError } from "./errors";
import type { RouteName } from "./routes";

const names = new Set(["user_id", "channel_id", "base_user_id", "member", "manager", "members"]);

/**
 * Refuses what is no id before anything is sent: an empty one or `..` would change which address is called.
 * The value itself is not repeated, because it may be a secret that was passed by mistake.
 */
export function requireIds(operation: RouteName, fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    // A metadata key that stands in the path: an empty one or `..` would do the same.
    if (operation === "users.meta.deleteKey" && name === "key") requireMetaKey(operation, value);
    if (!names.has(name) || (value === undefined && name === "base_user_id")) continue;
    for (const id of Array.isArray(value) ? value : [value])
      if (typeof id !== "string" || !/^[a-z0-9_]{4,80}$/.test(id))
        throw new ValidationError(
          `${name} must be 4 to 80 characters: lower-case letters, digits and _ only.`,
          operation,
        );
  }
}

function requireMetaKey(operation: RouteName, key: unknown): void {
  if (typeof key !== "string" || !/^[A-Za-z\p{Script=Hangul}_-]+$/u.test(key))
    throw new ValidationError("key must be one or more of the letters A-Z, a-z, Hangul, _ and -.", operation);
}
