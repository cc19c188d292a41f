import { ValidationError } from "./errors";
import { routes } from "./generated/routes";
import type { Operation } from "./generated/types";
import { requireNumber } from "./numbers";
import type { RequestOptions } from "./options";
import type { Route } from "./route";

/** The limits of a call, with their defaults. */
export interface Limits {
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly maxDowntime: number;
}

/** Options of a call override those of the client. */
export function resolveLimits(
  call: RequestOptions,
  client: RequestOptions = {},
  operation?: Operation,
): Limits {
  const limits = {
    timeout: call.timeout ?? client.timeout ?? 30_000,
    totalTimeout: call.totalTimeout ?? client.totalTimeout,
    maxRetries: call.maxRetries ?? client.maxRetries ?? 2,
    maxDowntime: call.maxDowntime ?? client.maxDowntime ?? 5_000,
  };
  requireNumber("timeout", limits.timeout, [1], operation);
  requireNumber("totalTimeout", limits.totalTimeout, [1], operation);
  requireNumber("maxRetries", limits.maxRetries, [0], operation);
  requireNumber("maxDowntime", limits.maxDowntime, [0], operation);
  return limits;
}

export function requireIdempotencyKey(key: string | undefined, operation: Operation): void {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ValidationError("idempotencyKey", "Must be 1 to 255 visible ASCII characters.", operation);
}

export function requirePageSize(operation: Operation, size: number | undefined): void {
  const { pageSize: bounds }: Route = routes[operation];
  if (bounds) requireNumber("pageSize", size, bounds, operation);
}
