import { ValidationError } from "../errors/errors";
import type { Operation } from "../generated/types";
import { type Limits, resolveLimits } from "../limits";
import type { CallOptions, RequestOptions } from "../options";
import type { Signal } from "../platform";
import { createRandomId } from "../random-id";
import type { Route } from "../route";
import { callOptions, requireKnownOptions } from "../settings";
import { auditHeaders, requireHeaders, requireIdempotencyKey, userAgent } from "./headers";
import { fillPath, formatQuery } from "./url";

/** The parts of a request, with the names that the service gives them. */
export interface RequestParts {
  /** The parameters of the path, such as `user_id`. */
  readonly path?: Readonly<Record<string, string>> | undefined;
  /** The parameters of the query. */
  readonly query?: object | undefined;
  /** The body, sent as JSON. */
  readonly body?: object | undefined;
  /** A value that must not appear in an error, besides the keys. */
  readonly secret?: string | undefined;
}

/** A request as every attempt sends it, with its limits. The key is added by each attempt. */
export interface OutgoingRequest extends Limits {
  readonly operation: Operation;
  readonly method: Route["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: Signal | undefined;
  /** Values that no error may show; each attempt adds its key. */
  readonly secrets: Set<string>;
}

/** What all requests of a client share. */
export interface RequestDeps {
  readonly baseUrl: string;
  /** The options of the client. Those of a call override them. */
  readonly defaults: RequestOptions;
}

export function createRequest(
  { baseUrl, defaults }: RequestDeps,
  operation: Operation,
  { method, path: template, isRepeatable }: Route,
  { path = {}, query = {}, body, secret }: RequestParts,
  options: CallOptions,
): OutgoingRequest {
  requireKnownOptions(options, callOptions, operation);
  // With the key the service makes a change once, however often the request arrives. Made again, even a PUT would undo what
  // another caller changed in between.
  const idempotencyKey =
    options.idempotencyKey ?? (method === "GET" || isRepeatable ? undefined : createRandomId());
  requireIdempotencyKey(idempotencyKey, operation);
  return {
    ...resolveLimits(options, defaults, operation),
    operation,
    method,
    url: baseUrl + fillPath(template, path, operation) + formatQuery(query, operation),
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...(body && { "content-type": "application/json" }),
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...auditHeaders(options, defaults, operation),
      ...requireHeaders(defaults.headers, operation),
      ...requireHeaders(options.headers, operation),
    },
    body: body && formatBody(body, operation),
    signal: options.signal,
    secrets: new Set(secret === undefined ? [] : [secret]),
  };
}

/** The body as JSON. Throws a `ValidationError` that names the field which has no JSON, as one with a BigInt or a cycle. */
function formatBody(body: object, operation: Operation): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    const path = Object.keys(body).find((name) => !hasJson(Reflect.get(body, name))) ?? "";
    const message = "Cannot be sent as JSON: it has a BigInt, or contains itself.";
    throw new ValidationError(path, message, operation, "body", cause);
  }
}

function hasJson(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return true;
  } catch {
    return false;
  }
}
