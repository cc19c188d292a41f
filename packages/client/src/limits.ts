import { ValidationError } from "./errors/errors";
import { routes } from "./generated/routes";
import type { Operation } from "./generated/types";
import type { RequestOptions } from "./options";
import type { Route } from "./route";

/** The limits of a call, with their defaults. */
export interface Limits {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number | undefined;
  readonly maxRetries: number;
  readonly maxDowntimeMs: number;
}

/** Options of a call override those of the client. */
export function resolveLimits(
  call: RequestOptions,
  client: RequestOptions = {},
  operation?: Operation,
): Limits {
  const limits = {
    timeoutMs: call.timeoutMs ?? client.timeoutMs ?? 30_000,
    totalTimeoutMs: call.totalTimeoutMs ?? client.totalTimeoutMs,
    maxRetries: call.maxRetries ?? client.maxRetries ?? 2,
    maxDowntimeMs: call.maxDowntimeMs ?? client.maxDowntimeMs ?? 5_000,
  };
  requireNumber("timeoutMs", limits.timeoutMs, [1], operation);
  requireNumber("totalTimeoutMs", limits.totalTimeoutMs, [1], operation);
  requireNumber("maxRetries", limits.maxRetries, [0], operation);
  requireNumber("maxDowntimeMs", limits.maxDowntimeMs, [0], operation);
  return limits;
}

/** The bounds of a list are those of its route. */
export function requirePageSize(operation: keyof typeof routes, size: number | undefined): void {
  const { pageSize: bounds }: Route = routes[operation];
  if (bounds) requireNumber("pageSize", size, bounds, operation as Operation);
}

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
