import type { FetchInit } from "../platform";
import type { FakeResponse } from "./response";
import { ServiceError } from "./service-error";

/** The responses of requests with an idempotency key. */
export class IdempotencyStore {
  readonly #stored = new Map<string, { request: string; response: FakeResponse }>();

  /** Handles the request once for each key, and returns the stored response after that. */
  handleOnce({ method, headers, body }: FetchInit, url: URL, handle: () => FakeResponse): FakeResponse {
    const key = headers["idempotency-key"];
    if (key === undefined || method === "GET") return handle();
    const owner = `${headers.authorization} ${key}`;
    const request = `${method} ${url.pathname} ${body}`;
    const stored = this.#stored.get(owner);
    if (stored === undefined) {
      const response = handle();
      this.#stored.set(owner, { request, response });
      return response;
    }
    if (stored.request !== request)
      throw new ServiceError("idempotency_key_reused", "This idempotency key was used with another request.");
    return { ...stored.response, headers: { ...stored.response.headers, "idempotent-replayed": "true" } };
  }
}
