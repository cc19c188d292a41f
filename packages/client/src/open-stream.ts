import { createApiError } from "./api-error";
import { CallKeys } from "./api-key";
import type { CallDeps } from "./call";
import { ParseError } from "./errors";
import { requireHeaders } from "./headers";
import type { RequestEvent } from "./options";
import type { FetchInit, ResponseLike } from "./platform";
import { parseRetryAfter } from "./retry-after";
import { raceSignal } from "./signals";
import { userAgent } from "./user-agent";

/** The used part of a `ReadableStream`. */
interface ByteStream {
  getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array }>; cancel(): Promise<void> };
}

const operation = "events.list";
/** The server sends something every ten seconds. */
const maxSilenceMs = 30_000;

/**
 * The text of a response that does not end, as it arrives. If the server is silent for too long, the connection is
 * closed. Throws the error of the service when it rejects the request.
 */
export async function* openStream(
  deps: CallDeps,
  event: RequestEvent,
  controller: AbortController,
): AsyncGenerator<string, void, undefined> {
  const { signal } = controller;
  const { url } = event;
  const keys = new CallKeys(deps.apiKey, operation);
  const secrets = new Set<string>();
  let timer = setTimeout(() => controller.abort(), maxSilenceMs);
  const fetchWith = (key: string): Promise<ResponseLike> => {
    secrets.add(key);
    const headers = {
      accept: "text/event-stream",
      "user-agent": userAgent,
      ...requireHeaders(deps.defaults.headers, operation),
      authorization: `Bearer ${key}`,
    };
    // Both are the signal of the platform.
    const init = { method: "GET", headers, redirect: "manual", signal } as unknown as FetchInit;
    return raceSignal(deps.fetch(url, init), signal);
  };
  try {
    const sentAt = performance.now();
    deps.observer.request(event);
    let response = await fetchWith(await keys.get());
    const renewed = response.status === 401 ? await keys.renew() : undefined;
    if (renewed !== undefined) response = await fetchWith(renewed);
    const { status, headers, body } = response;
    const requestId = headers.get("x-request-id") ?? undefined;
    deps.observer.response({ ...event, status, requestId, durationMs: performance.now() - sentAt });
    if (status !== 200) {
      const text = await raceSignal(response.text(), signal);
      throw createApiError({
        request: {
          ...{ operation, method: "GET", url, headers: {}, body: undefined, timeout: maxSilenceMs },
          ...{ totalTimeout: undefined, maxRetries: 0, maxDowntime: 0, signal: undefined, secrets },
        },
        ...{ status, headers, text, attempts: 1, durationMs: 0, mayAlreadyBeDone: false },
        requestId,
        retryAfterMs: parseRetryAfter(headers.get("retry-after"), Date.now()),
      });
    }
    if (!isByteStream(body) || !/^text\/event-stream\b/.test(headers.get("content-type") ?? ""))
      throw new ParseError("parse", "events.listen: the response is no stream of events.", { operation });
    const reader = body.getReader();
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await raceSignal(reader.read(), signal);
      if (done) return;
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), maxSilenceMs);
      yield decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function isByteStream(body: unknown): body is ByteStream {
  return typeof body === "object" && body !== null && "getReader" in body;
}
