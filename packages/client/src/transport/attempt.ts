import { CallKeys, type KeySource } from "../credentials/api-key";
import { transfer } from "../errors/fetch-failure";
import type { RequestEvent, Trace } from "../options";
import {
  type Fetch,
  type FetchInit,
  isByteStream,
  type ResponseLike,
  raceSignal,
  type Signal,
  throwIfAborted,
} from "../platform";
import type { Observer } from "./observe";
import type { OutgoingRequest } from "./request";
import { type ReceivedResponse, readText } from "./response";
import { parseRetryAfter } from "./retries";
import { traceHeaders } from "./trace";

export interface AttemptDeps {
  /** Undefined for a client with a session. */
  readonly apiKey: KeySource | undefined;
  readonly fetch: Fetch;
  readonly observer: Observer;
  readonly trace: Trace | undefined;
  /** What the responses so far say about this `fetch`. */
  readonly bodies: Bodies;
}

export interface Bodies {
  /** Whether a body can be read as it arrives. Undefined: as far as is known. */
  areStreams: boolean | undefined;
}

/** Reads the body of a response. */
export type Read = (response: ResponseLike, request: OutgoingRequest) => Promise<string>;

/** The attempts of one call. */
export class Attempts {
  /** How many times the request was sent. */
  count = 0;
  /** The response to the last attempt, when it was complete. */
  response: ReceivedResponse | undefined;
  /** Whether the last attempt got at least the head of a response. */
  hasHead = false;
  readonly #startedAt = performance.now();
  readonly #request: OutgoingRequest;
  readonly #deps: AttemptDeps;
  readonly #read: Read;
  readonly #keys: CallKeys;

  constructor(request: OutgoingRequest, deps: AttemptDeps, read: Read = readText) {
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
    return (this.#request.totalTimeoutMs ?? Number.POSITIVE_INFINITY) - this.elapsedMs;
  }

  /** The last attempt, as observers see it. */
  get event(): RequestEvent {
    const { operation, method, url } = this.#request;
    return { operation, method, url, attempt: this.count };
  }

  /** One attempt: adds a key, sends the request, and reads the response. Ends with the signal even if `fetch` does not. */
  async send(signal: Signal): Promise<ReceivedResponse> {
    this.response = undefined;
    const response = await raceSignal(this.#sendWithKey(signal), signal);
    this.response = response;
    return response;
  }

  /** A key that the service rejects is replaced within the attempt. */
  async #sendWithKey(signal: Signal): Promise<ReceivedResponse> {
    const response = await this.#exchange(signal, await this.#keys.get());
    if (response.status !== 401) return response;
    // A failure to get the next token is not a failure of this response.
    this.hasHead = false;
    const renewed = await this.#keys.renew();
    if (renewed === undefined) return response;
    this.#deps.observer.retry({ ...this.event, waitedMs: 0, reason: "key rejected" });
    return this.#exchange(signal, renewed);
  }

  async #exchange(signal: Signal, key: string | undefined): Promise<ReceivedResponse> {
    const request = this.#request;
    const { method, body } = request;
    if (key !== undefined) request.secrets.add(key);
    throwIfAborted(signal);
    this.count++;
    this.hasHead = false;
    const { event } = this;
    this.#deps.observer.request(event);
    const sentAt = performance.now();
    const { response, text } = await this.#fetch({
      method,
      headers: { ...traceHeaders(this.#deps.trace), ...request.headers, ...credentials(key) },
      ...(body !== undefined && { body }),
      redirect: "manual",
      signal,
    });
    // A `fetch` that ignores its signal may return long after its attempt has timed out.
    throwIfAborted(signal);
    // Browsers hide the status of a redirect that they did not follow.
    const status = response.status || 302;
    const requestId = response.headers.get("x-request-id") ?? undefined;
    const durationMs = performance.now() - sentAt;
    this.#deps.observer.response({ ...event, status, requestId, durationMs });
    return {
      request,
      status,
      headers: response.headers,
      text,
      requestId,
      retryAfterMs: parseRetryAfter(response.headers.get("retry-after"), Date.now()),
      attempts: this.count,
      durationMs: this.elapsedMs,
    };
  }

  async #fetch(init: FetchInit): Promise<{ response: ResponseLike; text: string }> {
    const { url, secrets } = this.#request;
    const response = await transfer(() => this.#deps.fetch(url, init), secrets);
    this.hasHead = true;
    const text = await this.#read(response, this.#request);
    if (text !== "" && !isByteStream(response.body)) this.#deps.bodies.areStreams = false;
    return { response, text };
  }
}

/** A key, or the mark of the console: a page of another origin cannot send it along with the cookie of a session. */
function credentials(key: string | undefined): Record<string, string> {
  return key === undefined ? { "x-madang-console": "1" } : { authorization: `Bearer ${key}` };
}
