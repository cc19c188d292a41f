import { takeKey } from "./api-key";
import { AbortError, ChatError, ConnectionError, TimeoutError } from "./errors";
import type { Observer } from "./observe";
import type { KeyFunction } from "./options";
import type { Fetch, ResponseLike, Signal } from "./platform";
import { parseRetryAfter } from "./retry-after";
import { findDelay, isPassing } from "./retry-rule";
import type { Route, RouteName } from "./routes";
import { copyCause } from "./secrets";
import { joinSignals, pause } from "./signals";

/** A request with all that governs its way. */
export interface Exchange {
  readonly operation: RouteName;
  readonly method: Route["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly timeout: number;
  readonly totalTimeout: number | undefined;
  readonly maxRetries: number;
  readonly signal: Signal | undefined;
  /** What no error may show; the keys that are used are added. */
  readonly secrets: Set<string>;
}

/** A whole answer, whatever its status. */
export interface Answer {
  readonly status: number;
  readonly headers: ResponseLike["headers"];
  readonly text: string;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly attempts: number;
  readonly durationMs: number;
  /** An earlier attempt may have done its work, although its answer never came. */
  readonly isRepeated: boolean;
}

export interface TransportDeps {
  readonly apiKey: string | KeyFunction;
  readonly fetch: Fetch;
  readonly maxRetryAfter: number;
  readonly observer: Observer;
  readonly random: () => number;
}

/** The attempts of one call: sends them, and knows when and how to go on. */
export class Attempts {
  answer: Answer | undefined;
  #fault: unknown;
  #count = 0;
  #retries = 0;
  #key = "";
  #isRenewed = false;
  /** The answer that refused the key, until there is another key. */
  #refused: Answer | undefined;
  #isRepeated = false;
  #began = 0;
  readonly #started = performance.now();
  readonly #exchange: Exchange;
  readonly #deps: TransportDeps;

  constructor(exchange: Exchange, deps: TransportDeps) {
    this.#exchange = exchange;
    this.#deps = deps;
  }

  async run(attemptSignal: AbortSignal): Promise<Response> {
    const caller = this.#exchange.signal;
    const joined = caller && joinSignals(attemptSignal, caller);
    const signal = joined?.signal ?? attemptSignal;
    const attempt = ++this.#count;
    this.answer = this.#fault = undefined;
    try {
      const answer = await this.#fetch(signal);
      // A fetch that pays no heed to its signal may come back when its attempt is long given up.
      if (attempt !== this.#count || signal.aborted) throw signal.reason;
      this.answer = answer;
    } catch (error) {
      if (attempt === this.#count) this.#fault = error;
      throw error;
    } finally {
      joined?.leave();
    }
    const { status, requestId, attempts } = this.answer;
    // Without another key the answer is that of the attempt before, and was told of.
    if (attempts === attempt) {
      const durationMs = performance.now() - this.#began;
      this.#deps.observer.response({ ...this.#event(), status, requestId, durationMs });
    }
    if (status < 200 || status > 299) throw new Error("refused");
    return new Response();
  }

  async #fetch(signal: AbortSignal): Promise<Answer> {
    const { operation, url, method, headers, body, secrets } = this.#exchange;
    const { apiKey, fetch, observer } = this.#deps;
    const refused = this.#refused;
    const key =
      this.#isRenewed && !refused ? this.#key : await takeKey(apiKey, operation, refused !== undefined);
    // The same key again would be refused again.
    if (refused && key === this.#key) return refused;
    this.#refused = undefined;
    this.#key = key;
    secrets.add(key);
    if (signal.aborted) throw signal.reason;
    observer.request(this.#event());
    this.#began = performance.now();
    const response = await fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal,
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      requestId: response.headers.get("x-request-id") ?? undefined,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), Date.now()),
      attempts: this.#count,
      durationMs: performance.now() - this.#started,
      isRepeated: this.#isRepeated,
    };
  }

  /** Whether there is to be a further attempt. If so, it waits as long as that attempt has to. */
  async prepareNext(): Promise<boolean> {
    const { answer } = this;
    const { signal, maxRetries, totalTimeout = Number.POSITIVE_INFINITY } = this.#exchange;
    const { apiKey, maxRetryAfter, observer, random } = this.#deps;
    let delayMs = 0;
    if (signal?.aborted || this.#fault instanceof ChatError) return false;
    if (answer?.status === 401 && typeof apiKey === "function" && !this.#isRenewed) {
      this.#isRenewed = true;
      this.#refused = answer;
    } else {
      const failure = answer ?? {};
      if (!isPassing(failure) || this.#retries++ >= maxRetries) return false;
      delayMs = findDelay(failure, this.#retries, random());
      // A wait that is longer than the caller allows helps nobody: better to say at once what is wrong.
      if (performance.now() - this.#started + delayMs >= totalTimeout) return false;
      if (answer?.retryAfterMs !== undefined && answer.retryAfterMs > maxRetryAfter) return false;
      this.#isRepeated ||= answer?.status !== 429;
    }
    const reason = answer ? `${answer.status}` : "no answer";
    observer.retry({ ...this.#event(), delayMs, reason });
    await pause(delayMs, signal);
    return !signal?.aborted;
  }

  /** What to tell the caller when there is no answer. */
  explain(error: unknown, isAborted: boolean): ChatError {
    const { operation, timeout, totalTimeout, secrets } = this.#exchange;
    const attempts = this.#count;
    if (this.#fault instanceof ChatError) return this.#fault;
    if (error instanceof ChatError) return error;
    if (isAborted)
      return new AbortError(
        "abort",
        `${operation} was ended by the signal of the caller.`,
        { operation, attempts },
        copyCause(error, secrets),
      );
    const fields = { operation, attempts, retryable: true };
    const times = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
    if (error instanceof Error && error.name === "TimeoutError") {
      const isTotal = totalTimeout !== undefined && performance.now() - this.#started >= totalTimeout - 1;
      const limit = isTotal ? `${totalTimeout} ms in all` : `${timeout} ms`;
      return new TimeoutError(
        "timeout",
        `${operation} had no whole answer within ${limit} (${times}).`,
        fields,
      );
    }
    const cause = copyCause(this.#fault ?? error, secrets);
    const reason = cause.cause instanceof Error ? cause.cause.message : cause.message;
    return new ConnectionError(
      "connection",
      `${operation} got no whole answer: ${reason} (${times}).`,
      fields,
      cause,
    );
  }

  #event() {
    const { operation, method, url } = this.#exchange;
    return { operation, method, url, attempt: this.#count };
  }
}
