import { ValidationError } from "./errors";
import type { Operation } from "./generated/types";

// The limit of a timer.
const maxNumber = 2 ** 31 - 1;

/** Requires a whole number within the bounds, or `undefined`. */
export function requireNumber(
  name: string,
  value: number | undefined,
  [min, max = maxNumber]: readonly [min: number, max?: number],
  operation?: Operation,
): void {
  if (value === undefined || (Number.isInteger(value) && value >= min && value <= max)) return;
  const range = max === maxNumber ? `of at least ${min}` : `from ${min} to ${max.toLocaleString("en-US")}`;
  throw new ValidationError(name, `Must be a whole number ${range}.`, operation);
}
