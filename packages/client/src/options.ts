import type { Operation } from "./error-codes";
import type { Fetch, Signal } from "./platform";

/** How a call travels. Those of a call go before those of the client. */
export interface TravelOptions {
  /** Milliseconds that one attempt may take, body included. Default 30,000. */
  timeout?: number | undefined;
  /** Milliseconds that the call may take with all its attempts and waits. Default: no limit. */
  totalTimeout?: number | undefined;
  /** How often a failed attempt is repeated where that is safe. Default 2. */
  maxRetries?: number | undefined;
  /** Further headers of every request. `authorization` is always the client's own. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** What a single call may set. */
export interface CallOptions extends TravelOptions {
  /** Ends the call, its waits included, with an `AbortError`. */
  signal?: Signal | undefined;
  /**
   * 1 to 255 visible ASCII characters under which the service does a change once, for 24 hours, however often it is sent.
   * When left out, what creates or sends something gets a random one; the same over all attempts.
   */
  idempotencyKey?: string | undefined;
}

/** What `new ChatClient` takes. */
export interface ClientOptions extends TravelOptions {
  /** Where the service is, e.g. `https://chat.example.com`. */
  baseUrl: string;
  /** The master key or a sub key, or a function that gives one. */
  apiKey: string | KeyFunction;
  /** Milliseconds of `Retry-After` up to which the client waits; above it the call fails at once. Default 60,000. */
  maxRetryAfter?: number | undefined;
  /** The `fetch` to use. Default: the global one. */
  fetch?: Fetch | undefined;
  /** Called before each attempt. What an observer throws is ignored. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called after each whole answer, whatever its status. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each wait for a further attempt. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Takes one line for each request, answer and retry, e.g. `console.error`. No line holds a key. */
  debug?: ((line: string) => void) | undefined;
  /** Checks each answer against the contract: `checkAnswer` of `@madang/client/check`. Default: no check. */
  check?: Check | undefined;
  /** Lets the client run in a browser, where every visitor can read the key. Default `false`. */
  dangerouslyAllowBrowser?: boolean | undefined;
}

/**
 * Gives the key for an attempt. It is asked for every attempt, so keep what is slow to get.
 * `refresh` is true when the service has just refused the key of this call: give another one.
 */
export type KeyFunction = (request: { refresh: boolean }) => string | Promise<string>;

/** Says what is wrong with an answer, as a path and a rule; nothing when it is right. */
export type Check = (operation: Operation, answer: unknown) => string | undefined;

/** One attempt, before it is sent. */
export interface RequestEvent {
  operation: Operation;
  method: string;
  url: string;
  /** 1 for the first. */
  attempt: number;
}

/** One whole answer. */
export interface ResponseEvent extends RequestEvent {
  status: number;
  requestId: string | undefined;
  durationMs: number;
}

/** A failed attempt that will be repeated. */
export interface RetryEvent extends RequestEvent {
  delayMs: number;
  /** Why, in words: `503`, `timeout`, `connection`, `key refused`. */
  reason: string;
}
