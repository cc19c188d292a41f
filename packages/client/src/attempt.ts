import { CallKeys } from "./api-key";
import type { Observer } from "./observe";
import type { KeyFunction, RequestEvent } from "./options";
import type { Fetch, ResponseLike } from "./platform";
import type { OutgoingRequest } from "./request";
import type { ReceivedResponse } from "./response";
import { parseRetryAfter } from "./retry-after";
import { copyCause } from "./secrets";
import { raceSignal } from "./signals";

export interface AttemptDeps {
  readonly apiKey: string | KeyFunction;
  readonly fetch: Fetch;
  readonly observer: Observer;
}

/** The attempts of one call. */
export class Attempts {
  /** How many times the request was sent. */
  count = 0;
  /** The response to the last attempt, when it was complete. */
  response: ReceivedResponse | undefined;
  /** Whether the last attempt got at least the head of a response. */
  hasHead = false;
  /** Whether an attempt that failed may have taken effect. */
  mayAlreadyBeDone = false;
  readonly #startedAt = performance.now();
  readonly #request: OutgoingRequest;
  readonly #deps: AttemptDeps;
  readonly #read: (response: ResponseLike) => Promise<string>;
  readonly #keys: CallKeys;

  /** @param read Reads the body. By default the whole. */
  constructor(
    request: OutgoingRequest,
    deps: AttemptDeps,
    read = (response: ResponseLike): Promise<string> => response.text(),
  ) {
    this.#request = request;
    this.#deps = deps;
    this.#read = read;
    this.#keys = new CallKeys(deps.apiKey, request.operation);
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** What is left of the time for all attempts. */
  get remainingMs(): number {
    return (this.#request.totalTimeout ?? Number.POSITIVE_INFINITY) - this.elapsedMs;
  }

  /** The last attempt, as observers see it. */
  get event(): RequestEvent {
    const { operation, method, url } = this.#request;
    return { operation, method, url, attempt: this.count };
  }

  /** One attempt: gets a key, sends the request, and reads the whole body. Ends with its signal even if `fetch` does not. */
  async send(signal: AbortSignal): Promise<ReceivedResponse> {
    this.response = undefined;
    const response = await raceSignal(this.#sendWithKey(signal), signal);
    this.response = response;
    return response;
  }

  async #sendWithKey(signal: AbortSignal): Promise<ReceivedResponse> {
    const response = await this.#exchange(await this.#keys.get(), signal);
    const renewed = response.status === 401 ? await this.#keys.renew() : undefined;
    if (renewed === undefined) return response;
    this.#deps.observer.retry({ ...this.event, waitedMs: 0, reason: "key rejected" });
    return this.#exchange(renewed, signal);
  }

  async #exchange(key: string, signal: AbortSignal): Promise<ReceivedResponse> {
    const { url, method, headers, body, secrets } = this.#request;
    secrets.add(key);
    signal.throwIfAborted();
    this.count++;
    this.hasHead = false;
    const { event } = this;
    this.#deps.observer.request(event);
    const sentAt = performance.now();
    const { response, text } = await this.#fetch(url, {
      method,
      headers: { ...headers, authorization: `Bearer ${key}` },
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal,
    });
    // A `fetch` that ignores its signal may return long after its attempt has timed out.
    signal.throwIfAborted();
    // Browsers hide the status of a redirect that they did not follow.
    const status = response.status || 302;
    const requestId = response.headers.get("x-request-id") ?? undefined;
    const durationMs = performance.now() - sentAt;
    this.#deps.observer.response({ ...event, status, requestId, durationMs });
    return {
      request: this.#request,
      status,
      headers: response.headers,
      text,
      requestId,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), Date.now()),
      attempts: this.count,
      durationMs: this.elapsedMs,
      mayAlreadyBeDone: this.mayAlreadyBeDone,
    };
  }

  /** A body that breaks off fails the attempt as a broken connection does, by the one error that ky retries on every runtime. */
  async #fetch(...[url, init]: Parameters<Fetch>) {
    try {
      const response = await this.#deps.fetch(url, init);
      this.hasHead = true;
      return { response, text: await this.#read(response) };
    } catch (error) {
      throw new TypeError("fetch failed", { cause: copyCause(error, this.#request.secrets) });
    }
  }
}
