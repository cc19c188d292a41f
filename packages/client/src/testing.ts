import type { Fetch, FetchInit, ResponseLike } from "./platform";

/** What goes wrong with one request. */
export type Fault =
  | {
      /** The response is an error, such as `rate_limited` or `unavailable`. The request has no effect. */
      readonly kind: "respond";
      readonly status: number;
      readonly code: string;
      /** Sent as `Retry-After`. */
      readonly retryAfterSeconds?: number;
    }
  /** The connection breaks before the request has an effect. */
  | { readonly kind: "reset" }
  /** The request takes effect, and its response breaks off. */
  | { readonly kind: "cut" }
  /** The request takes effect, and the rest of its response never arrives. */
  | { readonly kind: "stall" }
  /** The response arrives late. */
  | { readonly kind: "delay"; readonly ms: number };

/**
 * A `fetch` that fails on demand, around another one: such as the global one.
 *
 * @example
 * const faulty = new FaultyFetch(globalThis.fetch);
 * const chat = new ChatClient({ fetch: faulty.fetch });
 * faulty.failNext({ kind: "cut" });
 */
export class FaultyFetch {
  readonly #fetch: Fetch;
  readonly #faults: Fault[] = [];

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /**
   * Lets the next request fail, and the ones after it, one for each fault.
   *
   * @param faults What goes wrong, in the order of the requests.
   * @example faulty.failNext({ kind: "respond", status: 503, code: "unavailable", retryAfterSeconds: 0 });
   */
  failNext(...faults: Fault[]): void {
    this.#faults.push(...faults);
  }

  /** The `fetch` for the client. */
  readonly fetch: Fetch = async (url, init) => {
    const fault = this.#faults.shift();
    if (fault?.kind === "reset") throw new TypeError("fetch failed");
    if (fault?.kind === "respond") return createErrorResponse(fault);
    const response = await this.#fetch(url, init);
    return fault ? { ...pick(response), text: () => readFaulty(response, fault, init) } : response;
  };
}

function pick({ status, headers }: ResponseLike) {
  return { status, headers };
}

async function readFaulty(
  response: ResponseLike,
  fault: Exclude<Fault, { kind: "respond" | "reset" }>,
  { signal }: FetchInit,
): Promise<string> {
  const text = await response.text();
  if (fault.kind === "cut") throw new TypeError("terminated");
  await new Promise<void>((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    if (fault.kind === "delay") setTimeout(resolve, fault.ms);
  });
  return text;
}

function createErrorResponse({ status, code, retryAfterSeconds }: Fault & { kind: "respond" }): ResponseLike {
  const body = { status, code, detail: "This error was requested by failNext." };
  const headers = new Headers({ "content-type": "application/problem+json" });
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds));
  return { status, headers, text: async () => JSON.stringify(body) };
}
