import { ChatError, ValidationError } from "./errors";
import type { KeyFunction } from "./options";
import type { RouteName } from "./routes";
import { copyCause } from "./secrets";

/** Asks for the key of an attempt. No error repeats it, neither one of the key function nor of the platform. */
export async function takeKey(
  apiKey: string | KeyFunction,
  operation: RouteName,
  refresh: boolean,
): Promise<string> {
  let key: unknown = apiKey;
  if (typeof apiKey === "function")
    try {
      key = await apiKey({ refresh });
    } catch (error) {
      throw error instanceof ChatError
        ? error
        : new ValidationError("The apiKey function failed.", operation, copyCause(error, []));
    }
  requireKey(key, operation);
  return key;
}

/** A key is visible ASCII: anything else the platform would refuse by an error that shows it. */
export function requireKey(key: unknown, operation?: RouteName): asserts key is string {
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key))
    throw new ValidationError("apiKey must be a key of visible ASCII characters without spaces.", operation);
}
