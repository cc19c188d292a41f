import { parseAnswer, unreadable } from "./answer";
import type { Answer, Exchange, TransportDeps } from "./attempts";
import { requireHeaders } from "./headers";
import { requirePathParameters } from "./ids";
import { fillMeta } from "./meta";
import { requireNumber } from "./numbers";
import type { CallOptions, Check, TravelOptions } from "./options";
import { createRefusal } from "./refusal";
import { type Route, type RouteName, routes } from "./routes";
import { send } from "./transport";
import { fillPath, formatQuery } from "./url";
import { userAgent } from "./user-agent";

/** What of a call is its own. */
export interface Input {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** What must not show in an error, beside the keys. */
  readonly secret?: string;
}

/** Sends a request of the contract and gives what was answered, or throws. */
export type Call = <Data>(
  operation: RouteName,
  input: Input,
  options: CallOptions | undefined,
  read?: (data: unknown, answer: Answer, fail: Fail) => Data,
) => Promise<Data>;

/** Makes the error of an answer that is JSON and yet none of the service. */
export type Fail = (what: string) => Error;

/** What all calls of a client share. */
export interface Settings extends TransportDeps {
  readonly baseUrl: string;
  readonly travel: TravelOptions;
  readonly check: Check | undefined;
}

export function createCall(settings: Settings): Call {
  return async (operation, input, options = {}, read = believe) => {
    const exchange = createExchange(settings, operation, input, options);
    const answer = await send(exchange, settings);
    const route: Route = routes[operation];
    if (answer.status < 200 || answer.status > 299) {
      const refusal = createRefusal(answer, exchange);
      // What a repeated delete does not find, its first attempt has deleted.
      if (!answer.isRepeated || !route.gone || refusal.code !== route.gone) throw refusal;
    }
    const fail: Fail = (what) => unreadable(what, answer, exchange);
    if (route.empty) return read(undefined, answer, fail);
    const data = parseAnswer(answer, exchange);
    const fault = settings.check?.(operation, data);
    if (fault !== undefined) throw fail(`something else than the contract says: ${fault}`);
    fillMeta(data);
    return read(data, answer, fail);
  };
}

function believe<Data>(data: unknown): Data {
  // The types of the SDK are held equal to the contract by a test; `check` holds the answers to it.
  return data as Data;
}

function createExchange(
  settings: Settings,
  operation: RouteName,
  { path = {}, query = {}, body, secret }: Input,
  options: CallOptions,
): Exchange {
  requirePathParameters(operation, path);
  const { method, path: template } = routes[operation];
  const { travel } = settings;
  const timeout = options.timeout ?? travel.timeout ?? 30_000;
  const totalTimeout = options.totalTimeout ?? travel.totalTimeout;
  const maxRetries = options.maxRetries ?? travel.maxRetries ?? 2;
  const idempotencyKey = options.idempotencyKey ?? (method === "POST" ? crypto.randomUUID() : undefined);
  requireNumber("timeout", timeout, 1, operation);
  requireNumber("totalTimeout", totalTimeout, 1, operation);
  requireNumber("maxRetries", maxRetries, 0, operation);
  return {
    operation,
    method,
    url: settings.baseUrl + fillPath(template, path) + formatQuery(query, operation),
    headers: {
      accept: "application/json",
      "user-agent": userAgent,
      ...(body && { "content-type": "application/json" }),
      // The server keeps the first answer under this key, so that a repeated POST does its work once.
      ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      ...requireHeaders(travel.headers, operation),
      ...requireHeaders(options.headers, operation),
    },
    body: body && JSON.stringify(body),
    timeout,
    totalTimeout,
    maxRetries,
    signal: options.signal,
    secrets: new Set(secret === undefined ? [] : [secret]),
  };
}
