import { ValidationError } from "./errors";
import type { RouteName } from "./routes";

/** A whole number from `min` to what a timer can hold, or nothing. */
export function requireNumber(
  name: string,
  value: number | undefined,
  min: number,
  operation?: RouteName,
): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= min && value < 2 ** 31))
    throw new ValidationError(`${name} must be a whole number of at least ${min}.`, operation);
}
