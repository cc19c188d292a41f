import type { Operation } from "./generated/types";
import type { Fetch, Signal } from "./platform";

/** Limits and headers of requests. Those of a call override those of the client. */
export interface RequestOptions {
  /** How long one attempt may take, body included: at least 1, default 30,000. */
  timeoutMs?: number | undefined;
  /** How long the call may take, with all attempts and waits: at least 1. Default: no limit. */
  totalTimeoutMs?: number | undefined;
  /** How often a call is retried after failures: at least 0, default 2. 0 turns off all retries. */
  maxRetries?: number | undefined;
  /**
   * How long a call is retried while the service cannot be reached, as during a restart: at least 0, default 5,000. These
   * retries do not count against `maxRetries`.
   */
  maxDowntimeMs?: number | undefined;
  /** The person on whose behalf requests are sent, for the audit log of the service: 1 to 200 characters. */
  actor?: string | undefined;
  /** Why requests are sent, for the audit log of the service: 1 to 200 characters. */
  reason?: string | undefined;
  /** Additional headers of every request. `authorization` is always the client's own. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of a single call. */
export interface CallOptions extends RequestOptions {
  /** Aborts the call, its waits included, with an `AbortError`. */
  signal?: Signal | undefined;
  /**
   * 1 to 255 visible ASCII characters. However often a request with this key is sent within 24 hours, the service handles it once.
   * Default: a random key, the same for all attempts, for every change.
   */
  idempotencyKey?: string | undefined;
}

/** Options of every client. */
export interface SharedOptions extends RequestOptions {
  /** The address of the service, e.g. `https://chat.example.com`. Default: the environment variable `MADANG_URL`. */
  baseUrl?: string | undefined;
  /**
   * How long a `Retry-After` may be: at least 0, default 60,000. If the service asks for more, the call fails immediately,
   * `events.listen` too.
   */
  maxRetryAfterMs?: number | undefined;
  /** The `fetch` to use. Default: the global one. */
  fetch?: Fetch | undefined;
  /** `trace` of `@opentelemetry/api`: every request carries the active span of the application as `traceparent`. Default: none. */
  trace?: Trace | undefined;
  /** Called before each attempt. An error that an observer throws is ignored. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each complete response, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each retry, after its wait. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Receives one line per request, response and retry, e.g. `console.error`. No line contains a key. */
  debug?: ((line: string) => void) | undefined;
  /** Checks all of each response against the contract, and not only its top-level fields; of events, the fields that all have. Default `false`. */
  check?: boolean | undefined;
  /** Deletes without sending a body, for a service behind a proxy that drops the body of a DELETE. Default `false`. */
  bodilessDeletes?: boolean | undefined;
}

/** Options of `new ChatClient` with an API key. */
export interface ClientOptions extends SharedOptions {
  /** The master key or a sub key, or a function that returns one. Default: the environment variable `MADANG_API_KEY`. */
  apiKey?: string | KeyFunction | undefined;
  /** Allows the client to run in a browser, where every visitor can read the key. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;
  /** A client has a key, a token or a session. */
  token?: undefined;
  /** A client has a key, a token or a session. */
  session?: undefined;
}

/** Options of `new ChatClient` with the token of a user, for browsers and apps: the client acts as this user. */
export interface TokenOptions extends SharedOptions {
  /**
   * The token, or a function that gets one from your application, as `users.createToken` returned it. It is called before the
   * first request, before the token expires, and after the service has rejected it.
   */
  token: string | TokenFunction;
  /** A client has a key, a token or a session. */
  apiKey?: undefined;
  /** A client has a key, a token or a session. */
  session?: undefined;
}

/**
 * Options of `new ChatClient` without an API key, for a page that the service itself serves and in which a person signed in to
 * the console. The browser adds the cookie of the session. The page must have the origin of the service.
 */
export interface SessionOptions extends SharedOptions {
  /** Sends the requests of the console, which have a session instead of a key. */
  session: true;
  /** A client has a key, a token or a session. */
  apiKey?: undefined;
  /** A client has a key, a token or a session. */
  token?: undefined;
}

/**
 * Returns the key for an attempt. It is called for every attempt, so cache what is slow to get.
 * `refresh` is true when the service has just rejected the key of this call: return another one.
 */
export type KeyFunction = (request: { refresh: boolean }) => string | Promise<string>;

/** Gets a token. With `expires_at`, as `users.createToken` returns it, the client gets the next one before this one ends. */
export type TokenFunction = () => ReceivedToken | Promise<ReceivedToken>;

/** A token, and when it expires, in milliseconds since the Unix epoch. */
export type ReceivedToken = string | { token: string; expires_at?: number | undefined };

/** An attempt, before it is sent. */
export interface RequestEvent {
  /** The method of the client, e.g. `users.create`. */
  operation: Operation;
  /** The HTTP method, e.g. `POST`. */
  method: string;
  /** The address, with the query. */
  url: string;
  /** 1 for the first attempt. */
  attempt: number;
}

/** A complete response. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status. */
  status: number;
  /** The `X-Request-Id` of the response. */
  requestId: string | undefined;
  /** How long the attempt took, body included. */
  durationMs: number;
}

/** A failed attempt that is now retried. */
export interface RetryEvent extends RequestEvent {
  /** How long the call waits before the retry, in milliseconds. */
  waitedMs: number;
  /** The status of the failure, such as `503`, or `timeout`, `connection`, `key rejected`. */
  reason: string;
}

/**
 * What is used of `trace` of `@opentelemetry/api`. It is passed to the client and never imported here: bundlers fail on an import
 * of a package that an application does not have.
 */
export interface Trace {
  /** The span that is active in the application. */
  getActiveSpan():
    | {
        spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number };
      }
    | undefined;
}
