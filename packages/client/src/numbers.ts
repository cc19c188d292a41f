import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

/** Requires a whole number from `min` to the limit of a timer, or `undefined`. */
export function requireNumber(
  name: string,
  value: number | undefined,
  min: number,
  operation?: Operation,
): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= min && value < 2 ** 31))
    throw new ValidationError(`${name} must be a whole number of at least ${min}.`, operation);
}
